"""Facts about the world as data files with source and date: models, devices, software of each release."""
