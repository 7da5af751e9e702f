print("stack")
