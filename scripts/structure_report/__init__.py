"""The parts of scripts/structure: reading Swift (source.py), cycles and limits (graph.py), drawings (drawing.py)."""
