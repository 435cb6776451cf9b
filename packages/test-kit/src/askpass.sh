#!/bin/sh
# ssh runs this (SSH_ASKPASS) to get a password without typing it in.
printf '%s\n' "$WAYBILL_TEST_PASSWORD"
