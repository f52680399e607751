/** What deliveries are signed with. Source: decisions, "Webhooks and events"; Standard Webhooks, "Signature scheme". */
import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 24

/** `whsec_` and base64: the whole text is what people keep and what is sealed; the bytes behind the base64 are the key. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
