export const ADD_SHARED_PRINTERS = ['ALTER TABLE devices.printer ADD COLUMN shared boolean NOT NULL DEFAULT false']
