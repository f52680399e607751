/** The seconds after which jobs expire that do not say it. Null: as for every printer. */
export const ADD_DEFAULT_EXPIRY = ['ALTER TABLE devices.printer ADD COLUMN default_expire_after int']
