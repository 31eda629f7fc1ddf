import pytest

# Failed assertions of shared helpers show their values, as those of test modules do.
pytest.register_assert_rewrite("tests.kit")
