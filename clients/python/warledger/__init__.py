"""Play board wargames on a Warledger server: the API as Python calls, and a gym-like environment over it.

Nothing but Python's own library is needed: calls go as JSON over HTTP to the server's web port (7482 unless the server
says otherwise).

    from warledger import Client, Env

    env = Env(Client("http://127.0.0.1:7482"), "downfall", "olympic")
    observation, info = env.reset()
    while not env.over:
        observation, rewards, terminated, truncated, info = env.step(env.legal()[0])
"""

from .client import Client
from .computers import Crew, new_account
from .dice import ChainReplaced, Chains, FileChains, MemoryChains, NoChain, LogInconsistent, ThrowTakenBack
from .env import Env, Step
from .errors import Refused, SeatGuarded, VersionConflict, WarledgerError
from .game import Game

__all__ = [
    "ChainReplaced",
    "Chains",
    "Client",
    "Crew",
    "Env",
    "FileChains",
    "Game",
    "MemoryChains",
    "NoChain",
    "Refused",
    "SeatGuarded",
    "Step",
    "LogInconsistent",
    "ThrowTakenBack",
    "VersionConflict",
    "WarledgerError",
    "new_account",
]
