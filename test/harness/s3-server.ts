/** An S3 server, `s3rver`: it checks signatures as S3 does, keeps objects in files, and cannot abort an upload. */
import S3rver from '@20minutes/s3rver'

export const S3_BUCKET = 'documents'

/** Credentials of s3rver in the variables that operators use. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Has the bucket `documents`. */
export async function startS3Server(at: { address: string; port: number; directory: string }) {
  const server = new S3rver({ ...at, silent: true, configureBuckets: [{ name: S3_BUCKET, configs: [] }] })
  // It omits the slash that the SDK signs when listing a bucket, so signatures of listings are not checked.
  server.middleware.unshift(async (context, next) => {
    if (context.path === `/${S3_BUCKET}/`)
      context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } })
    await next()
  })
  await server.run()
  return server
}
