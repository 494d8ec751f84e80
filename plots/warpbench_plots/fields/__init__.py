"""How figures and claims name what a record holds: fields, the arithmetic over them, and selectors."""
