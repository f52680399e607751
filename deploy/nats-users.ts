/** The users of the services in a nats-server: their permissions are in `proto/nats-permissions.ts`. */
import { getNatsPermissions, NATS_SERVICES, type NatsService } from '@platen/proto/nats-permissions.ts'

/** `*` stands for the name of the service, in the settings of the services. */
export const NATS_USER = 'platen_*'

/** May do everything: for operators. */
export const NATS_OPERATOR = NATS_USER.replace('*', 'operator')

const LINE_MAX = 108

/** @returns a user in the configuration of nats-server. */
export function toNatsUser(service: NatsService, password: string, bucket?: string) {
  const { publish, subscribe, answers } = getNatsPermissions(service, bucket)
  return {
    user: NATS_USER.replace('*', service),
    password,
    permissions: { publish, subscribe, ...(answers && { allow_responses: true }) },
  }
}

/**
 * All users as text of the configuration of nats-server.
 *
 * @param toPassword gives a variable, `$PASSWORD` for example.
 * @param bucket of documents, if they are stored in NATS.
 */
export function renderNatsUsers(toPassword: (service: NatsService) => string, bucket?: string): string {
  const users = NATS_SERVICES.map((service) => {
    const { user, password, permissions } = toNatsUser(service, toPassword(service), bucket)
    const { publish, subscribe, allow_responses: answers } = permissions
    return [
      '{',
      `  user: ${user}, password: ${password}`,
      '  permissions: {',
      ...renderList('publish', publish),
      ...renderList('subscribe', subscribe),
      ...(answers ? ['    allow_responses: true'] : []),
      '  }',
      '}',
    ].join('\n')
  })
  return users.join('\n')
}

function renderList(name: string, subjects: string[]): string[] {
  const lines: string[] = []
  for (const subject of subjects) {
    const longer = `${lines.at(-1)}, "${subject}"`
    if (lines.length > 0 && longer.length <= LINE_MAX) lines.splice(-1, 1, longer)
    else lines.push(`      "${subject}"`)
  }
  return [`    ${name}: [`, ...lines, '    ]']
}
