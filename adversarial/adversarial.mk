# adversarial
