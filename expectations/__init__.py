"""What must hold, as data: suites of tables, identities of counts, ledgers of papers, waivers."""
