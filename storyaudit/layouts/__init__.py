"""From the files that people have to the tables of ``storyaudit.data.tables``."""
