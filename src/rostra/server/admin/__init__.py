"""What operators do (`rostra admin`, `rostra backup`, `rostra restore`), on both databases, while servers run or not.

Every act is one transaction with its line in the table `audit`; running servers follow that table (`server.orders`).
"""
