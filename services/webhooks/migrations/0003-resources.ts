import { EVENT_RESOURCE } from '../events/event-resource.ts'

export const ADD_RESOURCES = [
  // Without it, the events of one job or printer are found only by reading all events of the organization.
  `CREATE INDEX event_of_resource ON webhooks.event (organization_id, mode, (${EVENT_RESOURCE}), commit_seq, id)`,
  // The deliveries of the events of a job.
  `CREATE INDEX delivery_of_event ON webhooks.delivery (event_id)`,
]
