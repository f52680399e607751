/**
 * S13: nobody is told an id of another organization, and no job leaves its own, is printed on another computer or is made of another
 * one's document. S14: no credential and no contents were found where they must not be.
 */
import type { ClientCall } from '../history.ts'
import type { Facts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const S13 = violationOf('S13')
const S14 = violationOf('S14')

export function checkIsolation({ history, jobs }: Facts): Violation[] {
  const { agents, database, calls, leaks, spoolerCalls } = history
  const owners = new Map<string, string>()
  for (const { id, printerId, organizationId } of database.jobs)
    for (const owned of [id, printerId]) owners.set(owned, organizationId)
  for (const { computerId, organizationId } of agents) owners.set(computerId, organizationId)

  const astray = database.jobs.filter(
    ({ computerId, organizationId }) => (owners.get(computerId) ?? organizationId) !== organizationId,
  )
  const borrowed = database.jobs.filter(
    ({ reprintOf, organizationId }) => (owners.get(reprintOf ?? '') ?? organizationId) !== organizationId,
  )
  const computerOf = new Map(agents.map(({ name, computerId }) => [name, computerId]))
  const abroad = spoolerCalls.filter(({ agent, token }) => {
    const owner = jobs.get(token)?.row.computerId
    return owner !== undefined && owner !== computerOf.get(agent)
  })
  return [
    ...calls.flatMap((call) => foreignIds(call, owners)),
    ...astray.map(({ id }) => S13('illegal', id, 'The job was sent to a computer of another organization.')),
    ...borrowed.map(({ id }) => S13('illegal', id, 'The job is a reprint of a job of another organization.')),
    ...abroad.map(({ agent, token }) =>
      S13('illegal', token, `The job of another computer was handed over by ${agent}.`),
    ),
    ...leaks.map((leak) => S14('illegal', leak, `Found where it must not be: ${leak}.`)),
  ]
}

function foreignIds({ kind, organizationId, namedIds }: ClientCall, owners: Map<string, string>): Violation[] {
  return namedIds
    .filter((id) => (owners.get(id) ?? organizationId) !== organizationId)
    .map((id) => S13('illegal', id, `A "${kind}" of organization ${organizationId} named an id of ${owners.get(id)}.`))
}
