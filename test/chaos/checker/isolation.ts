/** S13: nobody is told an id of another organization, and no job leaves its own. S14: no credential and no contents were found where they must not be. */
import type { ClientCall } from '../history.ts'
import type { Facts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const S13 = violationOf('S13')
const S14 = violationOf('S14')

export function checkIsolation({ history }: Facts): Violation[] {
  const { agents, database, calls, leaks } = history
  const owners = new Map<string, string>()
  for (const { id, printerId, organizationId } of database.jobs)
    for (const owned of [id, printerId]) owners.set(owned, organizationId)
  for (const { computerId, organizationId } of agents) owners.set(computerId, organizationId)

  const astray = database.jobs.filter(
    ({ computerId, organizationId }) => (owners.get(computerId) ?? organizationId) !== organizationId,
  )
  return [
    ...calls.flatMap((call) => foreignIds(call, owners)),
    ...astray.map(({ id }) => S13('illegal', id, 'The job was sent to a computer of another organization.')),
    ...leaks.map((leak) => S14('illegal', leak, `Found where it must not be: ${leak}.`)),
  ]
}

function foreignIds({ kind, organizationId, namedIds }: ClientCall, owners: Map<string, string>): Violation[] {
  return namedIds
    .filter((id) => (owners.get(id) ?? organizationId) !== organizationId)
    .map((id) => S13('illegal', id, `A "${kind}" of organization ${organizationId} named an id of ${owners.get(id)}.`))
}
