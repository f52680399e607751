import type { FindPrintersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'

const FOUND_MAX = 10
const EXAMINED_MAX = 5_000

/** Scans the index `printer_page`. */
const FIND = `
SELECT id FROM (
  SELECT id, commit_seq, display_name FROM devices.printer
  WHERE organization_id = $1 AND mode = $2 AND removed_at IS NULL
  ORDER BY commit_seq DESC, id DESC LIMIT ${EXAMINED_MAX}
) AS printer
WHERE strpos(lower(display_name), lower($3)) > 0 ORDER BY commit_seq DESC LIMIT ${FOUND_MAX}`

/**
 * Scans the printers of the organization and mode. Names for people come first, because they hide the names that agents
 * report.
 */
const FIND_NAMED = `
SELECT id FROM devices.printer
WHERE organization_id = $1 AND mode = $2 AND removed_at IS NULL AND $3 IN (display_name, name, os_name)
ORDER BY display_name = $3 DESC, commit_seq DESC LIMIT ${FOUND_MAX}`

/** The newest printers of an organization and mode whose name contains a text, or is the text. */
export async function findPrinters({ lists }: Devices, request: FindPrintersRequest) {
  const { organizationId, mode, text, wholeName } = request
  const { rows } = await lists.query<{ id: string }>(wholeName ? FIND_NAMED : FIND, [organizationId, mode, text])
  return { printerIds: rows.map(({ id }) => id) }
}
