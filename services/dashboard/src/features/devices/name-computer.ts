import type { Computer } from '../../api/resources.ts'

type Named = Pick<Computer, 'id' | 'number' | 'name'>

/** @returns the name of a computer, with its number if another one has the same name. */
export function nameComputer(computer: Named, all: readonly Named[]): string {
  const { id, name, number } = computer
  return all.some((other) => other.name === name && other.id !== id) ? `${name} #${number}` : name
}
