import { z } from 'zod'

/** The schema of a body: an object without unknown fields. */
export const jsonBody = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined),
  })
