import type { ListProblemsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { ATTENTION_KEYWORDS } from '@platen/resources/state-reasons.ts'
import { release } from '@platen/runtime/release.ts'
import { UNAVAILABLE_REASON, UNAVAILABLE_SINCE } from '../destinations/availability.ts'
import type { Devices } from '../devices.ts'

/**
 * Reads the computers and printers of these organizations by `computer_page` and `printer_page`. Takes no locks. A
 * computer that never connected has no problem. Printers of an offline computer keep the problems of their last report.
 *
 * A destination has a problem while none of its printers is available, since the last of them became so.
 *
 * `agent_version` is a text of agents. Only a version that begins with three numbers can be outdated.
 */
const LIST = `
WITH problem AS (
SELECT problem.kind, organization_id AS "organizationId", mode, id AS "computerId", name AS "computerName",
  '' AS "printerId", '' AS "printerName", CASE problem.kind WHEN 'computer_offline' THEN last_seen_at END AS since,
  CASE WHEN problem.kind = 'agent_outdated' THEN agent_version
    WHEN unauthorized_at IS NOT NULL THEN 'unauthorized' ELSE '' END AS detail
FROM devices.computer CROSS JOIN LATERAL (
  SELECT 'computer_offline' AS kind WHERE state = 'offline' AND last_seen_at IS NOT NULL
  UNION ALL SELECT 'agent_outdated' WHERE
    string_to_array(substring(agent_version from '^v?([0-9]{1,4}[.][0-9]{1,4})[.][0-9]'), '.')::int[]
      < string_to_array($3, '.')::int[]
) AS problem
WHERE organization_id = ANY($1::uuid[]) AND mode = ANY($4::text[]) AND deleted_at IS NULL
UNION ALL
SELECT problem.kind, printer.organization_id, printer.mode, computer.id, computer.name, printer.id::text, display_name,
  NULL, COALESCE(NULLIF(state_detail, ''), array_to_string(attention, ', '))
FROM devices.printer JOIN devices.computer ON computer.id = computer_id
CROSS JOIN LATERAL (
  SELECT ARRAY(SELECT unnest(state_reasons) INTERSECT SELECT unnest($2::text[]) ORDER BY 1) AS attention
) AS reported
CROSS JOIN LATERAL (
  SELECT 'printer_offline' AS kind WHERE known_state = 'offline'
  UNION ALL SELECT 'printer_attention' WHERE attention <> '{}'
) AS problem
WHERE printer.organization_id = ANY($1::uuid[]) AND printer.mode = ANY($4::text[]) AND removed_at IS NULL
  AND (known_state = 'offline' OR state_reasons && $2)
UNION ALL
SELECT 'destination_unavailable', organization_id, mode, id, '', id::text, name, since, reasons
FROM devices.destination CROSS JOIN LATERAL (
  SELECT count(reason) AS unavailable, max(since) AS since,
    string_agg(
      COALESCE(display_name, 'a removed printer') || ': ' || replace(reason, '-', ' '), ', ' ORDER BY position
    ) AS reasons
  FROM (
    SELECT position, printer.display_name, ${UNAVAILABLE_REASON} AS reason, ${UNAVAILABLE_SINCE} AS since
    FROM unnest(printer_ids) WITH ORDINALITY AS listed (printer_id, position)
    LEFT JOIN devices.printer ON printer.id = listed.printer_id
    LEFT JOIN devices.computer ON computer.id = printer.computer_id
  ) AS listed
) AS printers
WHERE $7 AND organization_id = ANY($1::uuid[]) AND mode = ANY($4::text[]) AND deleted_at IS NULL AND enabled
  AND unavailable = cardinality(printer_ids)
)
SELECT * FROM (
  SELECT *, row_number() OVER (
    PARTITION BY "organizationId"
    ORDER BY COALESCE(NULLIF("printerId", '')::uuid, "computerId") = ANY($6::uuid[]) DESC, "computerName", "computerId",
      "printerName", "printerId", kind
  ) AS position
  FROM problem
) AS ordered
WHERE position <= $5 OR $5 IS NULL
ORDER BY "organizationId", position`

const MISSING = `
SELECT id FROM unnest($1::uuid[]) AS requested (id)
WHERE NOT EXISTS (SELECT FROM devices.computer WHERE computer.id = requested.id AND deleted_at IS NULL)
  AND NOT EXISTS (SELECT FROM devices.printer WHERE printer.id = requested.id AND removed_at IS NULL)
  AND NOT EXISTS (SELECT FROM devices.destination WHERE destination.id = requested.id AND deleted_at IS NULL)`

interface Row {
  kind: string
  organizationId: string
  mode: string
  computerId: string
  computerName: string
  printerId: string
  printerName: string
  since: Date | null
  detail: string
}

/** The minor version. Agents of an earlier one can do less than this service. */
const MINOR_VERSION = release.split('.').slice(0, 2).join('.')

export async function listProblems(
  { lists }: Pick<Devices, 'lists'>,
  { organizationIds, resourceIds, mode, limit, withDestinations }: ListProblemsRequest,
) {
  const modes = mode === undefined ? ['live', 'test'] : [mode]
  const [problems, missing] = await Promise.all([
    lists.query<Row>(LIST, [
      ...[organizationIds, ATTENTION_KEYWORDS, MINOR_VERSION, modes, limit, resourceIds, withDestinations],
    ]),
    lists.query<{ id: string }>(MISSING, [resourceIds]),
  ])
  return {
    problems: problems.rows.map((row) => ({ ...row, since: timestampOrNone(row.since) })),
    missingIds: missing.rows.map(({ id }) => id),
  }
}
