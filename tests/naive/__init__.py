"""Independent, deliberately slow and simple referees that the fast engines are checked against."""
