import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'

/** @throws CommandRefused if the owner of the computer has not permitted it, or the program cannot update itself. */
export async function updateAgent({ config, updates }: CommandContext) {
  if (config.update !== 'automatic')
    throw new CommandRefused(
      'The owner of the computer has not permitted updates from the service: "update" in agent.json is not "automatic". Run `sudo platen-agent update` on the computer.',
    )
  if (!updates)
    throw new CommandRefused(
      'The agent of the computer does not run from an installed package. Update it on the computer.',
    )
  try {
    updates.begin()
  } catch (error) {
    throw new CommandRefused((error as Error).message, { cause: error })
  }
  return {}
}
