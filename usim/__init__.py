"""usim: did the meaning survive the change?"""
