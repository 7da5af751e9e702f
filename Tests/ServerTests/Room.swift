// Tests arrive with the code.
