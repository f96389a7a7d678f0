"""Paper for a class: the homework of a lesson (homework.py), and an exam whose numbers come from a seed (exam.py)."""
