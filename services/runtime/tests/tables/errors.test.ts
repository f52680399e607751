import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { ApiError, fromConnectError } from '../../errors.ts'

test.each([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled])(
  'a broken call between services (code %i) is service_unavailable for its caller',
  (code) => {
    const error = new ConnectError('Stream closed with error code NGHTTP2_CANCEL', code)
    expect(fromConnectError(error)).toMatchObject({ code: 'service_unavailable', cause: error })
  },
)

test('a call that fails by a defect stays a defect', () => {
  const error = new ConnectError('a defect', Code.Internal)
  expect(fromConnectError(error)).toBe(error)
  expect(fromConnectError(error)).not.toBeInstanceOf(ApiError)
})
