/** E-mails and the contract of their senders. */

/** A message for one recipient. */
export interface Mail {
  /** The same for all attempts, so that mailboxes detect duplicates by `Message-ID`. */
  id: string
  /** An address without a name. */
  to: string
  /** One line. Control characters are removed. */
  subject: string
  /** Plain text, lines ended by `\n`. */
  text: string
}

export interface Mailer {
  /**
   * Sends a mail within 30 s. The caller retries after a failure, although the mail may have been delivered.
   *
   * @throws MailFailure
   */
  send(mail: Mail): Promise<void>
}

export interface CheckedMailer extends Mailer {
  /**
   * Connects to the server and signs in, without a mail.
   *
   * @returns where mails go, for operators.
   * @throws MailFailure
   */
  check(): Promise<string>
}

/**
 * A mail was possibly not sent, or the server cannot be used. The message contains no addresses, credentials or mail
 * content.
 */
export class MailFailure extends Error {}
