"""Programs for those who maintain this project; no part of the installed package."""
