import { z } from 'zod'

const TIME_RULE =
  'must be an ISO 8601 time with a time zone and at most milliseconds: 2026-01-02T03:04:05.678Z (in a URL `+` is `%2B`)'

export const time = () =>
  z
    .string('must be a time')
    .regex(/^[^.]*(\.\d{1,3}(?!\d).*)?$/, { error: TIME_RULE, abort: true })
    .pipe(z.iso.datetime({ offset: true, error: TIME_RULE }))
    .transform((text) => new Date(text))
    .meta({ override: { type: 'string', format: 'date-time' } })
