"""What a match looks like: state to text, alt text, pictures and buttons."""
