"""What scripts/structure is made of: reading Swift (source.py), circles and limits (graph.py), the drawing (drawing.py)."""
