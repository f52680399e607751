import type { ReencryptSecretsRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { NIL } from 'uuid'
import type { Webhooks } from '../webhooks.ts'

const BATCH = 500

/** Reads secrets in the order of the primary key. */
const OTHER_KEY = `
SELECT id, endpoint_id AS "endpointId", encrypted FROM webhooks.secret
WHERE id > $1 AND substring(encrypted FROM 1 FOR $2) <> $3 ORDER BY id LIMIT ${BATCH}`

/** Changes no secret that was changed since. A deleted one stays deleted. */
const REPLACE = `
UPDATE webhooks.secret SET encrypted = replacement.encrypted
FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS replacement (id, previous, encrypted)
WHERE secret.id = replacement.id AND secret.encrypted = replacement.previous`

const COUNT = 'SELECT count(*)::int AS remaining FROM webhooks.secret WHERE substring(encrypted FROM 1 FOR $1) <> $2'

/**
 * Encrypts the next secrets with the first key, so that the other keys can be removed. A secret that no key decrypts stays as it is and is
 * counted in `remaining`.
 */
export async function reencryptSecrets({ pool, secretBox, log }: Webhooks, { afterId }: ReencryptSecretsRequest) {
  const { keyId } = secretBox
  const { rows } = await pool.query<{ id: string; endpointId: string; encrypted: Buffer }>(OTHER_KEY, [
    afterId || NIL,
    keyId.length,
    keyId,
  ])
  const replacements = rows.flatMap(({ id, endpointId, encrypted }) => {
    try {
      const text = secretBox.decrypt(endpointId, encrypted)
      return [{ id, previous: encrypted, encrypted: secretBox.encrypt(endpointId, text) }]
    } catch (error) {
      log.error({ err: error, endpoint_id: endpointId }, 'secret of an endpoint cannot be decrypted')
      return []
    }
  })
  const replaced = await pool.query(REPLACE, [
    replacements.map(({ id }) => id),
    replacements.map(({ previous }) => previous),
    replacements.map(({ encrypted }) => encrypted),
  ])
  const counted = await pool.query<{ remaining: number }>(COUNT, [keyId.length, keyId])
  return {
    encrypted: replaced.rowCount ?? 0,
    lastId: rows.length < BATCH ? '' : (rows.at(-1)?.id ?? ''),
    remaining: counted.rows[0]?.remaining ?? 0,
  }
}
