/** A submission is of a printer or of a destination. */
export const ADD_IPP_DESTINATIONS = [
  'ALTER TABLE jobs.ipp_submission ADD COLUMN destination_id uuid, ALTER COLUMN printer_id DROP NOT NULL',
]
