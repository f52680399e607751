/** Makes the module that plants one bug in every process that is started with `--import` of it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBug } from './bugs.ts'

/** @returns the path of the module, which must stay there as long as processes are started. */
export async function writePlant(directory: string, bug: string): Promise<string> {
  const path = join(directory, `plant-${findBug(bug).name}.mjs`)
  const plant = new URL('./plant.ts', import.meta.url).href
  await writeFile(path, `import { plantBug } from '${plant}'\n\nplantBug('${bug}')\n`)
  return path
}
