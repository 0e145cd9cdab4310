# profiles: data that is compiled in and installed
