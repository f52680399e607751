/** The commands of `platen-server admin`. Each prints the return value of its `run`. */
import type { Connect } from '../../launcher/connect-services.ts'
import { deleteOrganization } from './delete-organization.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { createOrganization, listOrganizations, resumeOrganization, suspendOrganization } from './organizations.ts'
import { setPlan } from './plans.ts'
import { addUser, createSignInCode, listUsers, removeUser } from './users.ts'

/** Required options are present and not empty. */
export type Options = Record<string, string | undefined>

interface Command {
  /**
   * The options and arguments, from which `add-admin.ts` makes the parser: `--org ID` is required, `[--name NAME]` is
   * not.
   */
  usage: string
  run(connect: Connect, options: Options, positionals: string[]): Promise<unknown>
}

export const COMMANDS: Record<string, Command> = {
  'orgs create': { usage: 'NAME', run: createOrganization },
  'orgs list': { usage: '', run: listOrganizations },
  'orgs suspend': { usage: '--org ID', run: suspendOrganization },
  'orgs resume': { usage: '--org ID', run: resumeOrganization },
  'orgs delete': { usage: '--org ID --confirm NAME', run: deleteOrganization },
  'keys create': {
    usage: '--org ID --mode test|live --scopes read,print,admin [--name NAME] [--expires TIME]',
    run: createKey,
  },
  'keys list': { usage: '--org ID', run: listKeys },
  'keys revoke': { usage: 'ID', run: revokeKey },
  'plans set': { usage: '--org ID --prints N|unlimited --computers N|unlimited', run: setPlan },
  'users add': { usage: '--org ID --email ADDRESS --role owner|admin|member', run: addUser },
  'users list': { usage: '--org ID', run: listUsers },
  'users sign-in-code': { usage: 'ADDRESS', run: createSignInCode },
  'users remove': { usage: 'ADDRESS', run: removeUser },
}
