import { createLogCursor } from '@platen/runtime/event-log/follow.ts'

/** The cursor of the publisher, which begins with the events of this release. */
export const ADD_EVENT_CURSOR = createLogCursor('jobs')
