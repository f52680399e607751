import type { ReencryptSecretsRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { NIL } from 'uuid'
import type { Webhooks } from '../webhooks.ts'

const BATCH = 500

/** In the order of the primary key. */
const READ = `
SELECT id, endpoint_id AS "endpointId", encrypted FROM webhooks.secret WHERE id > $1 ORDER BY id LIMIT ${BATCH}`

/** Changes no secret that was changed since. A deleted one stays deleted. */
const REPLACE = `
UPDATE webhooks.secret SET encrypted = replacement.encrypted
FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS replacement (id, previous, encrypted)
WHERE secret.id = replacement.id AND secret.encrypted = replacement.previous`

/**
 * Encrypts the secrets of the next batch with the first key, so that the other keys can be removed. A secret that no
 * key decrypts stays as it is and is counted in `remaining`.
 */
export async function reencryptSecrets({ pool, secretBox, log }: Webhooks, { afterId }: ReencryptSecretsRequest) {
  const { rows } = await pool.query<{ id: string; endpointId: string; encrypted: Buffer }>(READ, [afterId || NIL])
  const others = rows.filter(({ endpointId, encrypted }) => !secretBox.isCurrent(endpointId, encrypted))
  const replacements = others.flatMap(({ id, endpointId, encrypted }) => {
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
  return {
    encrypted: replaced.rowCount ?? 0,
    lastId: rows.length < BATCH ? '' : (rows.at(-1)?.id ?? ''),
    remaining: others.length - replacements.length,
  }
}
