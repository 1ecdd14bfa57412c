"""Does one text say that another no longer holds? Rules over words, seldom wrong."""
