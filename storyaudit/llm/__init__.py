"""Language models by the record: an answer is asked for once, and replayed from then on."""
