import sys

from .script import main

sys.exit(main())
