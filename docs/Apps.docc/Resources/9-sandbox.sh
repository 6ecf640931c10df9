benji demo --sandbox-only
