from called import fee, fee_ok


def check_fee():
    assert fee("parcel", 4) == 50
    assert fee_ok("parcel", 4) == 50
