// Filled in by the next commit of this room.
