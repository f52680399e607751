#!/bin/sh
# What a fake device does with a document ($1), called by ippeveprinter with the job's attributes as IPP_*. The directory above the
# spool is the device's: `delay` has seconds, `fail` and `media-empty` are faults while they are there, `printed` is its paper.
device=$PLATEN_TEST_DEVICE
# A device that was restarted counts its jobs from 1 again.
name=$(date +%s%N)-$(basename "$1")

if [ -e "$device/media-empty" ]; then
  echo "STATE: +media-empty-error" >&2
  while [ -e "$device/media-empty" ]; do sleep 0.1; done
  echo "STATE: -media-empty-error" >&2
fi
[ ! -e "$device/delay" ] || sleep "$(cat "$device/delay")"
if [ -e "$device/fail" ]; then
  echo "ERROR: The device fails, as the test wants it." >&2
  exit 1
fi
# The document comes last: where it is, its attributes are, too.
env | grep '^IPP_' >"$device/printed/$name.env"
cp "$1" "$device/printed/.$name"
mv "$device/printed/.$name" "$device/printed/$name"
echo "ATTR: job-impressions-completed=1" >&2
