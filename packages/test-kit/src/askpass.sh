#!/bin/sh
# ssh runs this (SSH_ASKPASS) to get a password without typing it in; its argument is the prompt.
case "$1" in
  *'Code of the second factor'*) printf '%s\n' "$WAYBILL_TEST_CODE" ;;
  *'New password'*) printf '%s\n' "$WAYBILL_TEST_NEW_PASSWORD" ;;
  *) printf '%s\n' "$WAYBILL_TEST_PASSWORD" ;;
esac
