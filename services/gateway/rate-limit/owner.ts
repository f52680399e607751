import { hash } from 'node:crypto'

/**
 * Selects the replica that decides about an organization: the one with the highest hash of both (rendezvous hashing).
 * Gateways that know the same replicas select the same one, and a change of the replicas only moves the organizations
 * of the changed one.
 *
 * @param replicas at least one.
 */
export function findOwner(organizationId: string, replicas: Iterable<string>): string {
  let owner = ''
  let highest = ''
  for (const replica of replicas) {
    const weight = hash('sha256', `${replica} ${organizationId}`)
    if (weight <= highest) continue
    owner = replica
    highest = weight
  }
  return owner
}
