"""Live matches over HTTP and WebSocket: `rostra serve`.

From the ground up: `schema` what goes over the wire, `entries` what is stored, `store` where; `table` one match in
memory, `seen` what each sees of it, `decisions` who may do what, `house` what happens by itself; `workers` where bots
think; `live` all matches of this process; `routes` and `socket` the doors, `guard` their locks; `app` all together.
"""

from rostra.extras import need

need("server", "the server")
