import type { Report } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'

/** The state of one service in one process. */
export interface Replica extends Report {
  instance: string
  release: string
}

export const nameReplicas = (replicas: Pick<Replica, 'service' | 'instance'>[]) =>
  replicas.map(({ service, instance }) => `${service} (${instance})`).join(', ')
