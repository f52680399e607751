import { hash } from 'node:crypto'

/**
 * Which replica decides for a key: the one with the highest hash of both (rendezvous hashing). All who know the same replicas name the
 * same one, and when one comes or goes only its own keys move.
 *
 * @param replicas at least one.
 */
export function ownerOf(keyId: string, replicas: Iterable<string>): string {
  let owner = ''
  let highest = ''
  for (const replica of replicas) {
    const weight = hash('sha256', `${replica} ${keyId}`)
    if (weight <= highest) continue
    owner = replica
    highest = weight
  }
  return owner
}
