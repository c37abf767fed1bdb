# A line that ends with a carriage return: it is no part of the line, and the place is behind the last character.
 x = 
# ERROR 2:6 expected an expression
