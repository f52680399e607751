/** Generated from the OpenAPI document. */
export interface paths {
    "/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a key
         * @description Checks the key and returns its organization, mode and scopes, and what the installation has switched on.
         *
         *     Any valid key can call it.
         */
        get: operations["whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage
         * @description Returns the usage of the organization in the current calendar month, in UTC, and the limits of its plan. A test key gets the live usage as well.
         *
         *     Requires the scope `read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count print jobs
         * @description Counts the jobs of the organization and mode of the key by their final state and reason, by hour, day or month in UTC, the newest first by default. Intervals without a job have no entry. Days go back 400 days, hours at least 9 days. The counts are up to date within 3 s, or within 12 s while the installation handles hundreds of jobs a second.
         *
         *     Requires the scope `read`.
         */
        get: operations["listStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List print jobs
         * @description Lists the jobs of the organization and mode of the key, the newest first by default. Several filters select the jobs that match all of them.
         *
         *     Requires the scope `read`.
         */
        get: operations["listPrintJobs"];
        put?: never;
        /**
         * Create a print job
         * @description Accepts a document for one printer. A `201` is durable: the job reaches exactly one final state, `done`, `error`, `cancelled` or `expired`.
         *
         *     The document is a PDF, an image (PNG, JPEG, GIF, TIFF or WebP), which is converted to PDF, or raw data in the language of the printer.
         *
         *     The body is JSON, or a form (`multipart/form-data`) with the document as the part `file`, which needs no base64: `curl -F file=@invoice.pdf …`. The same job in both forms is the same job.
         *
         *     A job for an offline printer is accepted and waits. The jobs of a printer are printed in the order of their acceptance.
         *
         *     Send an `Idempotency-Key` with every creation, so that a request whose response was lost can be repeated and prints once.
         *
         *     An accepted job can fail later, for example because its URL cannot be fetched or its image is damaged. Its `state` becomes `error` and `stateMessage` contains the reason. It is not retried; a reprint is a new job with `reprintOf`.
         *
         *     Requires the scope `print`.
         */
        post: operations["createPrintJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a print job
         * @description Answers what a creation with the same fields would do, without creating a job: the error that it would get, and what would keep the job from being printed as requested.
         *
         *     The body is that of a creation without the document: leave `content` out. A URL in `content` is checked as at a creation, but not fetched. Limits of prints and of stored jobs are not checked, because they can change until the creation.
         *
         *     Requires the scope `print`.
         */
        post: operations["validatePrintJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a batch of print jobs
         * @description Accepts up to 100 jobs together, all or none: if one is refused, no job is created, and `param` of the error names it, for example `jobs[3].printerId`.
         *
         *     The jobs of a batch at one printer are printed in the order of the array, without other jobs between them. A job that fails, expires or is cancelled does not stop the others.
         *
         *     Each job counts in limits and usage, and has events and webhooks, like a job that was created alone.
         *
         *     Requires the scope `print`.
         */
        post: operations["createPrintJobBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch of print jobs
         * @description Cancels the jobs of the batch in `queued` or `sent`, which their agents have not yet received, and says how many. The others do not change.
         *
         *     Requires the scope `print`. With a session it requires the role owner or admin.
         */
        post: operations["cancelPrintJobBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a print job
         * @description Returns the present state of the job. Poll at most once a second until `state` is final.
         *
         *     Requires the scope `read`.
         */
        get: operations["getPrintJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a print job
         * @description Lists every state of the job and the actor of each change, the oldest first. The list has no pages.
         *
         *     Requires the scope `read`.
         */
        get: operations["listPrintJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a print job
         * @description Explains the state of the job: `headline` (whether it was printed), `cause`, and `actions` to take. The explanation is derived from the states of job, printer and computer, their events and the queue, which the response contains.
         *
         *     Requires the scope `read`.
         */
        get: operations["explainPrintJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the document of a print job
         * @description Returns the bytes of the stored document, which are stored for 7 days, or until the job has ended if its `retain` is false. Documents are untrusted: the response is a download and must not be shown as a page. If the stored bytes have changed, the connection is closed before the last byte. The operator can switch this operation off, then the response is `403 forbidden`.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin in live mode.
         */
        get: operations["getPrintJobDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook deliveries of a print job
         * @description Lists the deliveries of the events of the job to all endpoints, the newest first by default. `webhookId` and `id` identify a delivery for reading its attempts and for replaying it. Deliveries are stored for 30 days; those to deleted endpoints are not listed.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["listPrintJobDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a print job
         * @description Cancels a job in `queued` or `sent`, which its agent has not yet received. For a job in any other state the response is `409 not_cancellable`, and the job does not change.
         *
         *     Requires the scope `print`. With a session it requires the role owner or admin.
         */
        post: operations["cancelPrintJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printjobs/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a held print job
         * @description Lets a job that was created with `hold` be printed. It takes its turn by the time of its acceptance. A job that waits for its `notBefore` as well goes on waiting for it. For a job that is not held, or no longer `queued`, the response is the job as it is.
         *
         *     Requires the scope `print`.
         */
        post: operations["releasePrintJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw a label or receipt
         * @description Draws what a printer would print of a document in ZPL II or ESC/POS, without printing or storing it. The body is JSON or a form, as for a print job: `curl -F file=@label.zpl …`.
         *
         *     The response has one SVG document per label. With `Accept: image/svg+xml` it is the SVG of the first page alone.
         *
         *     Bar codes have the data, the modules and the position that the printer gives them. Text has its widths; the shapes of its letters are similar. Commands that the picture does not show are in `warnings`. A picture that takes more than 2 s ends with a warning.
         *
         *     Requires the scope `read`.
         */
        post: operations["createPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List printers
         * @description Lists the printers of the organization and mode of the key, the newest first by default. A test key gets the four virtual printers of test mode.
         *
         *     Requires the scope `read`.
         */
        get: operations["listPrinters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a printer
         * @description Returns the printer with its state, capabilities and your settings.
         *
         *     Requires the scope `read`.
         */
        get: operations["getPrinter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a printer
         * @description Changes only the sent fields. `customPapers` and `defaultOptions` replace their earlier values. Jobs that were accepted before a printer is disabled wait until it is enabled again, or expire.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        patch: operations["updatePrinter"];
        trace?: never;
    };
    "/v1/printers/{id}/printjobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the print jobs of a printer
         * @description Lists the jobs for this printer, the newest first by default.
         *
         *     Requires the scope `read`.
         */
        get: operations["listPrinterPrintJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/printers/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the jobs of a printer
         * @description Ends the unfinished jobs of the printer with the reason `purged`. Jobs in `queued` and `sent` become `cancelled`. Jobs in `received` become `error`, and jobs in `printing` as well if `includePrinting` is true. The agent removes them from the print queue of its computer, at once or when it connects again. A page that is being printed may still come out.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["purgePrinter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List destinations
         * @description Lists the destinations of the organization and mode of the key, with what each of their printers does now, the newest first by default.
         *
         *     Requires the scope `read`.
         */
        get: operations["listDestinations"];
        put?: never;
        /**
         * Create a destination
         * @description Creates a destination. Jobs that are sent to it wait without a printer, and the printer that may take the next job takes it.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["createDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a destination
         * @description Returns the destination with what each of its printers does now, and which one would get the next job.
         *
         *     Requires the scope `read`.
         */
        get: operations["getDestination"];
        put?: never;
        post?: never;
        /**
         * Delete a destination
         * @description Deletes the destination. If jobs wait for it, the request is refused and says how many, unless `waitingJobs` is `end`. They then end in `error` with the reason `destination-deleted`. Jobs that a printer has taken stay there.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        delete: operations["deleteDestination"];
        options?: never;
        head?: never;
        /**
         * Change a destination
         * @description Changes only the sent fields, also for the jobs that wait. After the response, no printer takes a job that the destination no longer gives to it. Jobs that a printer has taken stay there.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        patch: operations["updateDestination"];
        trace?: never;
    };
    "/v1/computers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List computers
         * @description Lists the computers of the organization and mode of the key, the newest first by default. A test key gets the virtual test computer.
         *
         *     Requires the scope `read`.
         */
        get: operations["listComputers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a computer
         * @description Returns the computer and whether its agent is connected.
         *
         *     Requires the scope `read`.
         */
        get: operations["getComputer"];
        put?: never;
        post?: never;
        /**
         * Delete a computer
         * @description Permanently deletes the computer and its printers. Its agent is disconnected and cannot connect without a new enrolment. Its jobs in `queued` and `sent` become `cancelled`; those in `received` and `printing` become `error` with the reason `computer-deleted`. All its jobs stay readable. The virtual test computer cannot be deleted.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        delete: operations["deleteComputer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computers/{id}/printers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the printers of a computer
         * @description Lists the printers of this computer, the newest first by default.
         *
         *     Requires the scope `read`.
         */
        get: operations["listComputerPrinters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists the events of the print jobs, computers and printers of the organization and mode of the key, the newest first by default. Events are stored for 30 days.
         *
         *     To follow the feed, send `wait`, store `nextCursor`, and send it as `after` immediately after each response. Every event is returned exactly once and without delay. Send the first request without `after` to start with the oldest event, or with `after=now` to skip the existing events: its response is an immediate empty page whose `nextCursor` follows them.
         *
         *     Requires the scope `read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Returns the event as it was delivered. Its id is the `webhook-id` of its deliveries.
         *
         *     Requires the scope `read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of events
         * @description Lists all types of events with their cause, JSON Schema and an example. The list has no pages and is the same for all keys.
         *
         *     Requires the scope `read`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/print-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List print accesses
         * @description The print accesses of the mode, at most 1,000. A member sees only their own.
         *
         *     Requires the scope `admin`.
         */
        get: operations["listPrintAccess"];
        put?: never;
        /**
         * Create a print access
         * @description Creates a secret with which a computer prints on shared printers of the mode, and does nothing else. A member creates only their own. Only this answer contains the secret.
         *
         *     Requires the scope `admin`.
         */
        post: operations["createPrintAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/print-access/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a print access
         * @description Ends a print access permanently, within 5 s. Its jobs stay. A member revokes only their own. A repeated request changes nothing.
         *
         *     Requires the scope `admin`.
         */
        delete: operations["revokePrintAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrolment tokens
         * @description Lists the enrolment tokens of the organization, also expired and used-up ones, the newest first by default. The token itself is only in the response that created it. Test mode has none.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["listEnrollments"];
        put?: never;
        /**
         * Create an enrolment token
         * @description Creates a token that agents exchange for a credential, which is bound to one computer. A second enrolment from the same data directory keeps the id of the computer. Requires a live key, because test mode has only its virtual computer.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["createEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an enrolment token
         * @description No further computer can be enrolled with the token. Computers that were enrolled with it stay.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        delete: operations["deleteEnrollment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol a computer
         * @description Called by `platen-agent enroll`. Exchanges an enrolment token for a credential that is bound to one computer. Without an `Idempotency-Key`, do not repeat the request automatically if no response arrived, because it may have spent a use of the token.
         *
         *     Requires an enrolment token, `Authorization: Bearer platen_enroll_…`, instead of an API key.
         */
        post: operations["enrollAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Lists the endpoints of the organization and mode of the key without their secrets, the newest first by default.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates an endpoint. New events of these types and the mode of the key are sent to the URL, signed by Standard Webhooks with the secret in the response. Each mode can have 20 endpoints.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Returns the endpoint and whether its deliveries fail, without its secret. Rotate a lost secret.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Permanently deletes the endpoint with its secrets and its deliveries, also pending ones.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes only the sent fields. Later attempts use the new URL. If an endpoint is disabled, its pending deliveries become `missed`, and so do its events of the next 5 days. Later events have no deliveries until it is enabled again. If it is enabled again, `disabledReason` and `failingSince` become null, and missed deliveries can be replayed.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook endpoint
         * @description Creates a new secret. For `graceSeconds` deliveries are signed with both secrets, so that receivers can switch without a refused delivery. With 0, for a leaked secret, only the new one signs. At most five secrets are valid; a further rotation ends the oldest.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook endpoint
         * @description Sends an example of an event, signed, attempted and listed like any other delivery. The feed does not contain its event. The response does not wait for the attempt; read the delivery for its result.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint
         * @description Lists the deliveries of the endpoint, also pending ones and those that it missed while it was disabled, the newest first by default. Deliveries are stored for 30 days. Several filters select the deliveries that match all of them.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description Returns the delivery with its event, and each attempt with the response of the endpoint.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Sends the same event again, at once and with all its retries, whatever the status of the delivery. The `webhook-id` stays the same, so that receivers can detect a repetition. A delivery that waits for a retry is sent at once; one whose attempt is already due does not change. Events are kept for 30 days; after that the response is `404`.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay the deliveries of a range of time
         * @description Replays, oldest first, the deliveries that were created at or after `since` and before `until`. The default of `status` selects failed and missed ones. Repeat the request if its response is lost; deliveries that are already pending do not change. `gaps` lists the times of the range whose events have no deliveries.
         *
         *     Requires the scope `admin`. With a session it requires the role owner or admin.
         */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A document for one printer. Send one of `printerId`, `printer` and `destination`, and either `contentType` and `content`, or `reprintOf`. */
        PrintJobRequest: {
            /**
             * Format: uuid
             * @description The id of the printer, which must be enabled and have the mode of the key. Send it, `printer` or `destination`.
             */
            printerId?: string | null;
            /** @description The name or the `number` of the printer, in place of `printerId`. A name that several printers have is refused. */
            printer?: string | null;
            /** @description The id, the name or the `number` of a destination, one of whose printers takes the job, in place of `printerId`. */
            destination?: string | null;
            /** @description The name of the job. In test mode `[fail]`, `[not-printed]`, `[out-of-paper]`, `[offline]`, `[slow]` or `[expire]` in it chooses the outcome. */
            title: string;
            /** @description The form of `content`: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP) or raw data for the printer, at a URL or as base64. */
            contentType?: ("pdf_uri" | "pdf_base64" | "image_uri" | "image_base64" | "raw_uri" | "raw_base64") | null;
            /** @description The document: standard base64 of at most 25 MB decoded, or an `http` or `https` URL of at most 2048 characters that leads to a public address, at port 80 or 443, without redirects. It is fetched once, within 30 seconds. */
            content?: string | null;
            /** @description The earlier job whose stored document is printed again. Documents are stored for 7 days. Its id or its `number`. */
            reprintOf?: string | null;
            /** @description The credentials for a URL that requires a password. They are stored until the document is fetched, for an hour at most, and are never part of the job. */
            authentication?: components["schemas"]["DocumentAuthentication"] | null;
            /**
             * @description The system that creates the job, for your own reports.
             * @default api
             */
            source?: string | null;
            /**
             * @description The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.
             * @default 1
             */
            qty?: number | null;
            /** @description The number of seconds that the job can wait for its agent before it becomes `expired`. The default is that of the destination, or `defaultExpireAfter` of the printer, or 86400. */
            expireAfter?: number | null;
            /**
             * @description True holds the job until `POST /v1/printjobs/{id}/release`. It expires as others do.
             * @default false
             */
            hold?: boolean | null;
            /**
             * Format: date-time
             * @description The time before which the job is not printed, at most 7 days ahead. `expireAfter` counts from it.
             */
            notBefore?: string | null;
            /** @description False deletes the document as soon as the job has ended, so that the job cannot be reprinted. The default is true, unless the organization has changed it. */
            retain?: boolean | null;
            /** @description The print options. */
            options?: components["schemas"]["PrintOptions"] | null;
            /**
             * @description Up to 20 pairs of a name (letters, digits, `_`, `.` and `-`) and a text, for example the number of an order. Lists and searches find jobs by them. They cannot be changed. Do not store secrets in them.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /** @description The authentication at the URL of a document. */
        DocumentAuthentication: {
            /**
             * @description The authentication scheme.
             * @constant
             */
            type: "BasicAuth";
            credentials: components["schemas"]["DocumentCredentials"];
        };
        /** @description User name and password for the URL of a document. */
        DocumentCredentials: {
            /** @description The user name. */
            user: string;
            /** @description The password. */
            pass: string;
        };
        /**
         * @description Print options. An omitted option has the value of the default options of the printer. An option or a value that the printer does not support is dropped and named in `stateMessage`. Raw jobs ignore options.
         * @example {
         *       "duplex": "long-edge"
         *     }
         */
        PrintOptions: {
            /**
             * @description The paper tray, one of `capabilities.bins`. Null: not set, also if the default options of the printer have a value.
             * @example tray-2
             */
            bin?: string | null;
            /**
             * @description The number of copies that the printer makes, at most `capabilities.copies`. If not set, 1. Null: not set, also if the default options of the printer have a value.
             * @example 2
             */
            copies?: number | null;
            /**
             * @description Printing on both sides, turned at the long or the short edge, or on one side. Null: not set, also if the default options of the printer have a value.
             * @example long-edge
             */
            duplex?: ("long-edge" | "short-edge" | "one-sided") | null;
            /**
             * @description The name of a paper in `capabilities.papers` or `customPapers`. Null: not set, also if the default options of the printer have a value.
             * @example A4
             */
            paper?: string | null;
            /**
             * @description The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all. Null: not set, also if the default options of the printer have a value.
             * @example 1-3,5
             */
            pages?: string | null;
            /**
             * @description The part of each page to print: `x,y,width,height` in tenths of a millimetre from its upper left corner, or `auto` for what is printed on it, with a margin of 3 mm. Null: not set, also if the default options of the printer have a value.
             * @example 0,0,1050,1480
             */
            crop?: string | null;
            /**
             * @description The rotation in degrees, clockwise for the reader of the sheet. On Windows only 90 and 270. Null: not set, also if the default options of the printer have a value.
             * @example 90
             */
            rotate?: (0 | 90 | 180 | 270) | null;
            /**
             * @description True scales pages to the printable area, false prints them at 100 %. If not set, only larger pages are scaled. Null: not set, also if the default options of the printer have a value.
             * @example true
             */
            fit_to_page?: boolean | null;
            /**
             * @description True prints in colour, false in shades of grey. Null: not set, also if the default options of the printer have a value.
             * @example false
             */
            color?: boolean | null;
            /**
             * @description The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows. Null: not set, also if the default options of the printer have a value.
             * @example 600x600
             */
            dpi?: string | null;
            /**
             * @description The kind of paper, one of `capabilities.medias`. Not on Windows. Null: not set, also if the default options of the printer have a value.
             * @example stationery
             */
            media?: string | null;
            /**
             * @description True sorts copies into sets. Not on Windows. Null: not set, also if the default options of the printer have a value.
             * @example true
             */
            collate?: boolean | null;
            /**
             * @description The number of pages on one sheet, one of `capabilities.nup`. Not on Windows. Null: not set, also if the default options of the printer have a value.
             * @example 2
             */
            nup?: number | null;
        };
        /** @description A print job as a form. Send one of `file`, `content` with `contentType`, and `reprintOf`. */
        PrintJobForm: {
            /**
             * Format: uuid
             * @description The id of the printer, which must be enabled and have the mode of the key. Send it, `printer` or `destination`.
             */
            printerId?: string | null;
            /** @description The name or the `number` of the printer, in place of `printerId`. A name that several printers have is refused. */
            printer?: string | null;
            /** @description The id, the name or the `number` of a destination, one of whose printers takes the job, in place of `printerId`. */
            destination?: string | null;
            /** @description As in a JSON body. The default is the name of `file`. */
            title?: string;
            /**
             * @description Format of `file`, or of the document at the URL in `content`. Without it the first bytes of `file` decide: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP), or raw data in a language of printers that is recognized. Any other file is refused; `raw` sends it to the printer unchanged.
             * @enum {string}
             */
            contentType?: "pdf" | "image" | "raw" | "pdf_uri" | "image_uri" | "raw_uri";
            /** @description URL of the document, as in a JSON body. */
            content?: string;
            /** @description The earlier job whose stored document is printed again. Documents are stored for 7 days. Its id or its `number`. */
            reprintOf?: string | null;
            /** @description The credentials for a URL that requires a password. They are stored until the document is fetched, for an hour at most, and are never part of the job. */
            authentication?: components["schemas"]["DocumentAuthentication"] | null;
            /**
             * @description The system that creates the job, for your own reports.
             * @default api
             */
            source?: string | null;
            /**
             * @description The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.
             * @default 1
             */
            qty?: number | null;
            /** @description The number of seconds that the job can wait for its agent before it becomes `expired`. The default is that of the destination, or `defaultExpireAfter` of the printer, or 86400. */
            expireAfter?: number | null;
            /**
             * @description True holds the job until `POST /v1/printjobs/{id}/release`. It expires as others do.
             * @default false
             */
            hold?: boolean | null;
            /**
             * Format: date-time
             * @description The time before which the job is not printed, at most 7 days ahead. `expireAfter` counts from it.
             */
            notBefore?: string | null;
            /** @description False deletes the document as soon as the job has ended, so that the job cannot be reprinted. The default is true, unless the organization has changed it. */
            retain?: boolean | null;
            /** @description The print options. */
            options?: components["schemas"]["PrintOptions"] | null;
            /**
             * @description Up to 20 pairs of a name (letters, digits, `_`, `.` and `-`) and a text, for example the number of an order. Lists and searches find jobs by them. They cannot be changed. Do not store secrets in them.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * Format: binary
             * @description The document, at most 25 MB.
             */
            file?: string;
        };
        /**
         * @description The state of the job. `queued`: waits for its computer. `sent`: on its way to the agent. `received`: the agent has the document. `printing`: the spooler has the document. `done` (the spooler has finished), `error`, `cancelled` and `expired` are final.
         * @example queued
         * @enum {string}
         */
        JobState: "queued" | "sent" | "received" | "printing" | "done" | "error" | "cancelled" | "expired";
        /** @description A print job whose `content` can be left out. Send either `contentType` or `reprintOf`. */
        PrintJobValidationRequest: {
            /**
             * Format: uuid
             * @description The id of the printer, which must be enabled and have the mode of the key. Send it, `printer` or `destination`.
             */
            printerId?: string | null;
            /** @description The name or the `number` of the printer, in place of `printerId`. A name that several printers have is refused. */
            printer?: string | null;
            /** @description The id, the name or the `number` of a destination, one of whose printers takes the job, in place of `printerId`. */
            destination?: string | null;
            /** @description The name of the job. In test mode `[fail]`, `[not-printed]`, `[out-of-paper]`, `[offline]`, `[slow]` or `[expire]` in it chooses the outcome. */
            title: string;
            /** @description The form of `content`: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP) or raw data for the printer, at a URL or as base64. */
            contentType?: ("pdf_uri" | "pdf_base64" | "image_uri" | "image_base64" | "raw_uri" | "raw_base64") | null;
            /** @description The document: standard base64 of at most 25 MB decoded, or an `http` or `https` URL of at most 2048 characters that leads to a public address, at port 80 or 443, without redirects. It is fetched once, within 30 seconds. */
            content?: string | null;
            /** @description The earlier job whose stored document is printed again. Documents are stored for 7 days. Its id or its `number`. */
            reprintOf?: string | null;
            /** @description The credentials for a URL that requires a password. They are stored until the document is fetched, for an hour at most, and are never part of the job. */
            authentication?: components["schemas"]["DocumentAuthentication"] | null;
            /**
             * @description The system that creates the job, for your own reports.
             * @default api
             */
            source?: string | null;
            /**
             * @description The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.
             * @default 1
             */
            qty?: number | null;
            /** @description The number of seconds that the job can wait for its agent before it becomes `expired`. The default is that of the destination, or `defaultExpireAfter` of the printer, or 86400. */
            expireAfter?: number | null;
            /**
             * @description True holds the job until `POST /v1/printjobs/{id}/release`. It expires as others do.
             * @default false
             */
            hold?: boolean | null;
            /**
             * Format: date-time
             * @description The time before which the job is not printed, at most 7 days ahead. `expireAfter` counts from it.
             */
            notBefore?: string | null;
            /** @description False deletes the document as soon as the job has ended, so that the job cannot be reprinted. The default is true, unless the organization has changed it. */
            retain?: boolean | null;
            /** @description The print options. */
            options?: components["schemas"]["PrintOptions"] | null;
            /**
             * @description Up to 20 pairs of a name (letters, digits, `_`, `.` and `-`) and a text, for example the number of an order. Lists and searches find jobs by them. They cannot be changed. Do not store secrets in them.
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /** @description Jobs that are created together. */
        PrintJobBatchRequest: {
            /** @description The jobs, in the order in which they are printed: 1 to 100, each with the fields of `POST /v1/printjobs`. Their documents have at most 25 MB together. */
            jobs: components["schemas"]["PrintJobRequest"][];
        };
        /** @description A label or receipt, and the paper in the printer. */
        PreviewRequest: {
            /**
             * @description Raw data for the printer as base64.
             * @example raw_base64
             * @constant
             */
            contentType: "raw_base64";
            /**
             * @description The document: standard base64 of at most 1 MB decoded.
             * @example XlhBXkZPNTAsNTBeQTBOLDUwLDUwXkZEUGxhdGVuXkZTXlha
             */
            content: string;
            /**
             * @description The language of the document. Without it, the language that the document begins in.
             * @example zpl
             */
            language?: ("zpl" | "escpos") | null;
            /**
             * @description The resolution of the printer, 203 by default.
             * @example 203
             */
            dpi?: number | null;
            /**
             * @description The printed width. Without it, that in the document, else 101.6 mm for labels and 72 mm for receipts.
             * @example 101.6
             */
            widthMm?: number | null;
            /**
             * @description The length of a label. Without it, that in the document, else 152.4 mm, or more for a longer label. Receipts are as long as their content.
             * @example 152.4
             */
            heightMm?: number | null;
        };
        /** @description A label or receipt as a form. */
        PreviewForm: {
            /**
             * Format: binary
             * @description The document, at most 1 MB.
             */
            file: string;
            /**
             * @description Format of `file`.
             * @constant
             */
            contentType?: "raw";
            /**
             * @description The language of the document. Without it, the language that the document begins in.
             * @example zpl
             * @enum {string}
             */
            language?: "zpl" | "escpos";
            /**
             * @description The resolution of the printer, 203 by default.
             * @example 203
             */
            dpi?: number;
            /**
             * @description The printed width. Without it, that in the document, else 101.6 mm for labels and 72 mm for receipts.
             * @example 101.6
             */
            widthMm?: number;
            /**
             * @description The length of a label. Without it, that in the document, else 152.4 mm, or more for a longer label. Receipts are as long as their content.
             * @example 152.4
             */
            heightMm?: number;
        };
        /** @description The changes. Omitted fields do not change; an empty object changes nothing. */
        PrinterChanges: {
            /**
             * @description The name for people.
             * @example Back office
             */
            displayName?: string;
            /** @description True if the printer accepts jobs. */
            enabled?: boolean;
            /**
             * @description True if computers can print on it with a print access.
             * @example true
             */
            shared?: boolean;
            /** @description Your notes. Null removes them. */
            remarks?: string | null;
            /**
             * @description Options for jobs that do not set them. They replace all earlier defaults.
             * @example {
             *       "paper": "A4"
             *     }
             */
            defaultOptions?: components["schemas"]["PrintOptions"];
            /**
             * @description Your custom paper sizes. The list replaces the earlier list.
             * @example [
             *       {
             *         "name": "Delivery note",
             *         "width": 2100,
             *         "height": 1480
             *       }
             *     ]
             */
            customPapers?: components["schemas"]["CustomPaper"][];
            /**
             * @description The `expireAfter` of new jobs that do not set it, in seconds. Null removes it, so that it is a day.
             * @example 3600
             */
            defaultExpireAfter?: number | null;
        };
        /** @description A custom paper size. */
        CustomPaper: {
            /**
             * @description The name, a value of the option `paper`. Unique in the list. It has precedence over a paper of the driver with the same name.
             * @example Delivery note
             */
            name: string;
            /**
             * @description The length of this side in tenths of a millimetre.
             * @example 2100
             */
            width: number;
            /**
             * @description The length of this side in tenths of a millimetre.
             * @example 1480
             */
            height: number;
        };
        /** @description The jobs to end. An empty object uses the default. */
        PrinterPurge: {
            /**
             * @description True ends jobs in `printing` as well.
             * @default false
             * @example false
             */
            includePrinting?: boolean | null;
        };
        /** @description A name and the printers behind it. */
        DestinationRequest: {
            /**
             * @description The name. No other destination of the mode can have it.
             * @example kitchen
             */
            name: string;
            /**
             * @description The printers in their order, each by its id or its `number`, all of the mode of the key.
             * @example [
             *       "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
             *     ]
             */
            printers: string[];
            /**
             * @description The choice of the printer that takes the next job: the `first` available one of the list, or `any` available one.
             * @default first
             * @example first
             */
            policy?: ("first" | "any") | null;
            /**
             * @description The number of seconds for which each earlier printer must be unavailable before a later one takes a job, of the policy `first`.
             * @default 30
             * @example 30
             */
            standbyAfter?: number | null;
            /**
             * @description True if the destination accepts jobs.
             * @default true
             * @example true
             */
            enabled?: boolean | null;
            /**
             * @description The `expireAfter` of its jobs that do not have one, so that no old tickets are printed in the morning.
             * @example 3600
             */
            expireAfter?: number | null;
        };
        /** @description The changes. Omitted fields do not change; an empty object changes nothing. */
        DestinationChanges: {
            /**
             * @description The new name. Jobs keep their destination.
             * @example kitchen
             */
            name?: string;
            /**
             * @description The printers in their order, each by its id or its `number`. They replace the earlier ones.
             * @example [
             *       "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
             *     ]
             */
            printers?: string[];
            /**
             * @description The choice of the printer that takes the next job.
             * @example any
             * @enum {string}
             */
            policy?: "first" | "any";
            /**
             * @description The number of seconds for which each earlier printer must be unavailable.
             * @example 30
             */
            standbyAfter?: number;
            /**
             * @description False refuses new jobs, and waiting jobs wait until it is true again, or expire.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description The `expireAfter` of its jobs that do not have one. Null removes it.
             * @example 3600
             */
            expireAfter?: number | null;
        };
        /** @description A new print access. */
        PrintAccessRequest: {
            /**
             * @description The name for people.
             * @example Anna's laptop
             */
            name: string;
            /**
             * @description The ids of the printers. Omitted: all shared printers.
             * @example [
             *       "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
             *     ]
             */
            printerIds?: string[] | null;
            /**
             * Format: uuid
             * @description The id of the member who prints with it. Omitted: none; the user of the session if that is a `member`.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            userId?: string | null;
        };
        /** @description The limits of the token. An empty object uses the defaults. */
        EnrollmentRequest: {
            /**
             * @description The number of computers that can be enrolled with the token.
             * @default 1
             * @example 1
             */
            maxUses?: number | null;
            /**
             * @description The number of seconds for which the token can be used.
             * @default 900
             * @example 900
             */
            expiresInSeconds?: number | null;
        };
        /** @description The computer of the agent. */
        AgentEnrollment: {
            /**
             * @description The name of the computer. The default is its `hostname`.
             * @example Back office
             */
            name?: string | null;
            /**
             * @description The host name of the computer.
             * @example office-pc-1
             */
            hostname: string;
            /**
             * @description The operating system: `linux`, `macos` or `windows`.
             * @example linux
             */
            os: string;
            /**
             * @description The version of the operating system.
             * @example 12
             */
            osVersion: string;
            /**
             * @description The processor architecture, such as `x64` or `arm64`.
             * @example x64
             */
            arch: string;
            /**
             * @description The version of the agent.
             * @example 1.0.0
             */
            agentVersion: string;
            /** @description The credential of an earlier enrolment from the same data directory. The computer keeps its id, and this credential stops working. */
            previousCredential?: string | null;
        };
        /** @description A URL and the types of events that are sent to it. */
        WebhookRequest: {
            /**
             * @description An `http` or `https` URL that leads to a public address, at any port; in live mode `https`. Redirects are not followed.
             * @example https://erp.example.com/hooks/platen
             */
            url: string;
            /**
             * @description The types of events, each once. Wildcards are not supported, because they would include new types.
             * @example [
             *       "printjob.done",
             *       "printjob.error"
             *     ]
             */
            events: components["schemas"]["EventType"][];
            /**
             * @description Your notes.
             * @example Orders in the ERP
             */
            description?: string | null;
        };
        /**
         * @description The type of an event.
         * @example printjob.done
         * @enum {string}
         */
        EventType: "printjob.queued" | "printjob.sent" | "printjob.received" | "printjob.printing" | "printjob.done" | "printjob.error" | "printjob.cancelled" | "printjob.expired" | "computer.online" | "computer.offline" | "printer.added" | "printer.removed" | "printer.online" | "printer.offline" | "printer.updated";
        /** @description A print job was accepted, or is waiting again because its agent did not take it. */
        PrintJobQueuedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.queued";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description A print job. Never contains the document, its URL or credentials. */
        PrintJob: {
            /**
             * Format: uuid
             * @description The id of the job.
             * @example 019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03
             */
            id: string;
            /**
             * @description A number for people, counted per organization and mode, never used again. Null for jobs of release 0.1.0.
             * @example 1042
             */
            number: number | null;
            /**
             * Format: uuid
             * @description The id of the target printer.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            printerId: string;
            /**
             * Format: uuid
             * @description The id of the computer of the printer.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            computerId: string;
            /**
             * Format: uuid
             * @description The id of the destination to which the job was sent. Until `sent`, `printerId` and `computerId` are the planned ones. Null if it was sent to a printer.
             * @example null
             */
            destinationId: string | null;
            /**
             * @description The title, as sent in the request.
             * @example Invoice 1042
             */
            title: string;
            /**
             * @description The format of the document and how it was sent. A reprint has the content type of its original.
             * @example pdf_base64
             * @enum {string}
             */
            contentType: "pdf_uri" | "pdf_base64" | "image_uri" | "image_base64" | "raw_uri" | "raw_base64";
            /**
             * @description The name of the client system, as sent in the request.
             * @example shop
             */
            source: string;
            /**
             * @description The user that the computer of a print access has named, which proves nothing. Null for jobs of other senders.
             * @example null
             */
            reportedUser: string | null;
            /**
             * @description The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.
             * @example 1
             */
            qty: number;
            /** @description The requested options, completed by the defaults of the printer. `stateMessage` names those that the printer does not support. */
            options: components["schemas"]["PrintOptions"];
            /**
             * @description The pairs of names and values, as sent in the request.
             * @example {
             *       "order": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description The id of the batch that the job was created with. Null without one.
             * @example null
             */
            batchId: string | null;
            /**
             * Format: uuid
             * @description The id of the job whose document this job prints again. Null if it has a document of its own.
             * @example null
             */
            reprintOf: string | null;
            /**
             * @description False if the document is deleted as soon as the job has ended.
             * @example true
             */
            retain: boolean;
            /**
             * @description The number of seconds that the job can wait for its agent.
             * @example 86400
             */
            expireAfter: number;
            /**
             * Format: date-time
             * @description The time at which the job expires unless its agent has received it.
             * @example 2026-03-03T09:30:00.125Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description The time before which the job is not printed, as sent. Null without one.
             * @example null
             */
            notBefore: string | null;
            /**
             * @description The size of the stored document in bytes. Null until a document at a URL is fetched, or an image is converted to PDF.
             * @example 15
             */
            fileSize: number | null;
            /**
             * @description The SHA-256 of the stored document in hex. Null until a document at a URL is fetched, or an image is converted to PDF.
             * @example 7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906
             */
            fileSha256: string | null;
            /**
             * @description The mode of the key that created the job.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            state: components["schemas"]["JobState"];
            /**
             * @description The cause of an `error` or the options that were dropped, for people. Otherwise null.
             * @example null
             */
            stateMessage: string | null;
            /**
             * @description The same for programs: keywords such as `unconfirmed` or `option-ignored`. New keywords can be added.
             * @example []
             */
            stateReasons: string[];
            /**
             * @description The source that confirmed that a `done` job is on paper. `printer`: the printer itself. `spooler`: the operating system, or the end of the connection. `nobody`: nothing; then `stateReasons` has `completion-unconfirmed`. Null in other states, and for jobs of earlier releases.
             * @example null
             */
            confirmedBy: ("printer" | "spooler" | "nobody") | null;
            /**
             * Format: date-time
             * @description The time of the acceptance.
             * @example 2026-03-02T09:30:00.125Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the job was sent to its agent. Null before.
             * @example null
             */
            sentAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the agent had received the document. Null before.
             * @example null
             */
            receivedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the spooler accepted the job. Null before.
             * @example null
             */
            printingAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the job reached a final state. Null before.
             * @example null
             */
            finishedAt: string | null;
        };
        /** @description A print job is on its way to its agent. */
        PrintJobSentEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.sent";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description The agent has a print job and its document. */
        PrintJobReceivedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.received";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description The spooler has taken a print job. */
        PrintJobPrintingEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.printing";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description The spooler has finished a print job. */
        PrintJobDoneEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.done";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description A print job has failed: `stateMessage` and `stateReasons` contain the cause. */
        PrintJobErrorEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.error";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description A print job was cancelled before its agent had it. */
        PrintJobCancelledEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.cancelled";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description A print job was not received by its agent in time. */
        PrintJobExpiredEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printjob.expired";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The print job right after the event. */
            data: components["schemas"]["PrintJob"];
        };
        /** @description The agent of a computer has connected. */
        ComputerOnlineEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "computer.online";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The computer right after the event. */
            data: components["schemas"]["Computer"];
        };
        /** @description A computer that runs the agent and has printers. */
        Computer: {
            /**
             * Format: uuid
             * @description The id of the computer.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            id: string;
            /**
             * @description A number for people, counted per organization and mode, never used again.
             * @example 7
             */
            number: number;
            /**
             * @description The name of the computer.
             * @example Back office
             */
            name: string;
            /**
             * @description The host name of the computer.
             * @example office-pc-1
             */
            hostname: string;
            /**
             * @description The operating system: `linux`, `macos` or `windows`.
             * @example linux
             */
            os: string;
            /**
             * @description The version of the operating system.
             * @example 12
             */
            osVersion: string;
            /**
             * @description The processor architecture, such as `x64` or `arm64`.
             * @example x64
             */
            arch: string;
            /**
             * @description The version of the agent.
             * @example 1.0.0
             */
            agentVersion: string;
            /** @description The updates of the agent. Null if it does not update itself. */
            agentUpdate: components["schemas"]["AgentUpdate"] | null;
            /**
             * @description The reason why the agent cannot list the printers of the operating system. Null if it can.
             * @example null
             */
            spoolerProblem: components["schemas"]["SpoolerProblem"] | null;
            /**
             * @description `online` while the agent is connected. A connection that is lost for less than 30 seconds does not change it.
             * @example online
             * @enum {string}
             */
            state: "online" | "offline";
            /**
             * Format: date-time
             * @description The time since which new jobs wait, because a user has paused the computer. Null if it is not paused.
             * @example null
             */
            pausedAt: string | null;
            /**
             * Format: date-time
             * @description The time since which the service refuses the agent of the `offline` computer, because its credential was replaced. Enrol the computer again. Null if it is not refused.
             * @example null
             */
            unauthorizedAt: string | null;
            /**
             * @description The mode of the computer. Test mode has one virtual computer only.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * Format: date-time
             * @description The time of the last message or heartbeat of the agent. Null before its first connection.
             * @example 2026-03-02T09:29:51.004Z
             */
            lastSeenAt: string | null;
            /**
             * Format: date-time
             * @description The time of the enrolment.
             * @example 2026-02-27T07:59:12.480Z
             */
            createdAt: string;
        };
        /** @description The updates of an agent by itself. */
        AgentUpdate: {
            /**
             * @description True if the agent installs offered versions without a command.
             * @example false
             */
            automatic: boolean;
            /**
             * @description The version that could not be installed. Null without a failure.
             * @example null
             */
            failedVersion: string | null;
            /**
             * @description The reason why the newest update has failed, a sentence. Null after a success.
             * @example null
             */
            failure: string | null;
        };
        /** @description The reason why an agent cannot list the printers of the operating system. */
        SpoolerProblem: {
            /**
             * @description The kind of problem: `not-installed`, `not-running`, `no-permission` or `not-responding`. Later versions can have others.
             * @example not-installed
             */
            code: string;
            /**
             * @description The problem and what to do, a sentence for people.
             * @example CUPS is not installed on office-pc-1: `sudo apt install cups`, or add a network printer, which needs no CUPS.
             */
            message: string;
        };
        /** @description The agent of a computer has gone: at once when it was shut down, 30 seconds after its connection broke, or after 60 seconds without a message. */
        ComputerOfflineEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "computer.offline";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The computer right after the event. */
            data: components["schemas"]["Computer"];
        };
        /** @description A printer was reported for the first time, or is back after it was removed. */
        PrinterAddedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printer.added";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The printer right after the event, without its capabilities. */
            data: components["schemas"]["EventPrinter"];
        };
        /** @description A printer right after an event, without its capabilities. `GET /v1/printers/{id}` returns them. */
        EventPrinter: {
            /**
             * Format: uuid
             * @description The id of the printer. It does not change while the computer and `osName` are the same.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            id: string;
            /**
             * @description A number for people, counted per organization and mode, never used again.
             * @example 12
             */
            number: number;
            /**
             * Format: uuid
             * @description The id of the computer of the printer.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            computerId: string;
            /**
             * @description The name that the agent reports.
             * @example Office laser
             */
            name: string;
            /**
             * @description The name of the printer in the operating system.
             * @example office-laser
             */
            osName: string;
            /**
             * @description The description that the driver reports.
             * @example A4 mono laser printer
             */
            description: string;
            /**
             * @description The name for people. Editable.
             * @example Back office
             */
            displayName: string;
            /**
             * @description Your notes. Editable.
             * @example Refill tray 2 on Mondays
             */
            remarks: string | null;
            /**
             * @description True if the printer accepts jobs. Jobs that were accepted before it was disabled wait in `queued`. Editable.
             * @example true
             */
            enabled: boolean;
            /**
             * @description True if computers can print on it with a print access. Editable.
             * @example false
             */
            shared: boolean;
            /**
             * @description True for the default printer of the computer.
             * @example true
             */
            isDefault: boolean;
            /**
             * @description The state of the printer, `unknown` while its computer is offline. A printer that is not online accepts jobs, which wait.
             * @example online
             * @enum {string}
             */
            state: "online" | "offline" | "unknown";
            /**
             * @description Details of the state for people, such as out of paper or cover open. Can be empty.
             * @example
             */
            stateDetail: string;
            /**
             * @description Details of the state for programs: IPP keywords such as `media-empty` or `cover-open`.
             * @example []
             */
            stateReasons: string[];
            /**
             * @description Options for jobs that do not set them. Editable.
             * @example {
             *       "paper": "A4"
             *     }
             */
            defaultOptions: components["schemas"]["PrintOptions"];
            /** @description Your custom paper sizes, at most 50. Editable. */
            customPapers: components["schemas"]["CustomPaper"][];
            /**
             * @description The number of seconds that a job can wait for its agent if it has no `expireAfter`. Null: 86,400, a day. Editable.
             * @example null
             */
            defaultExpireAfter: number | null;
            /**
             * Format: date-time
             * @description The time of the first report.
             * @example 2026-02-27T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             * @example 2026-03-02T08:15:42.310Z
             */
            updatedAt: string;
        };
        /** @description A printer is no longer on its computer, or its computer was deleted. */
        PrinterRemovedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printer.removed";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The printer right after the event, without its capabilities. */
            data: components["schemas"]["EventPrinter"];
        };
        /** @description A printer is online, and has been for 10 seconds. */
        PrinterOnlineEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printer.online";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The printer right after the event, without its capabilities. */
            data: components["schemas"]["EventPrinter"];
        };
        /** @description A printer is offline, and has been for 10 seconds. While its whole computer is offline there are no events of its printers. */
        PrinterOfflineEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printer.offline";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The printer right after the event, without its capabilities. */
            data: components["schemas"]["EventPrinter"];
        };
        /** @description A printer was changed: by `PATCH`, or something other than its state on its computer. */
        PrinterUpdatedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "printer.updated";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-03-02T09:30:06.902Z
             */
            timestamp: string;
            /**
             * @description The mode of the print job, computer or printer.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.
             * @example 5
             */
            sequence: number;
            /** @description The printer right after the event, without its capabilities. */
            data: components["schemas"]["EventPrinter"];
        };
        /** @description The changes. Omitted fields do not change; an empty object changes nothing. */
        WebhookChanges: {
            /** @description The new URL. The rules of the creation apply. */
            url?: string;
            /**
             * @description The types of events. They replace the earlier ones.
             * @example [
             *       "printjob.done"
             *     ]
             */
            events?: components["schemas"]["EventType"][];
            /** @description Your notes. Null removes them. */
            description?: string | null;
            /**
             * @description True if events are sent to the endpoint.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description The time for which the present secret stays valid. An empty object uses the default. */
        WebhookSecretRotation: {
            /**
             * @description The number of seconds for which deliveries are also signed with the present secret.
             * @default 86400
             * @example 86400
             */
            graceSeconds?: number | null;
        };
        /** @description The example to send. An empty object uses the default. */
        WebhookTest: {
            /** @description The type of the example, also one that the endpoint does not receive. The default is the first of its `events`. */
            type?: components["schemas"]["EventType"] | null;
        };
        /**
         * @description The status of a delivery: `pending` while further attempts follow, `succeeded`, `failed` after the last attempt, `missed` if the endpoint was disabled.
         * @example pending
         * @enum {string}
         */
        DeliveryStatus: "pending" | "succeeded" | "failed" | "missed";
        /** @description The deliveries to replay. */
        WebhookReplayRange: {
            /**
             * Format: date-time
             * @description Only deliveries that were created at or after this time.
             * @example 2026-03-02T09:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Only deliveries that were created before this time.
             * @example 2026-03-02T10:00:00.000Z
             */
            until?: string | null;
            /**
             * @description Only deliveries in this status, or in one of these.
             * @default [
             *       "failed",
             *       "missed"
             *     ]
             * @example [
             *       "failed",
             *       "missed"
             *     ]
             */
            status?: components["schemas"]["DeliveryStatus"][] | null;
        };
        /** @description The failure. */
        ErrorDetail: {
            /**
             * @description The error code, for programs. A code never changes its meaning.
             * @example not_found
             */
            code: string;
            /**
             * @description The cause and what to do, for people. The wording can change.
             * @example Not found: the path does not exist, the resource does not exist, it belongs to another organization, or it belongs to another mode.
             */
            message: string;
            /** @description The field (`customPapers[0].name`), query parameter or header that is the cause. Missing if there is not exactly one; of several wrong ones it is the first. */
            param?: string;
            /**
             * @description The address of the code in the documentation of this installation. Without `PLATEN_PUBLIC_URL` it is relative to the address of the request.
             * @example https://print.example.com/docs/reference/errors#error.404.not_found
             */
            doc_url: string;
            /**
             * @description The id of the request, as in the header `X-Request-Id`. Include it in a request for support.
             * @example 0d9d4f6c-6d0f-4b9e-8f3e-0a4a1d1c7d54
             */
            request_id: string;
            /**
             * Format: uri
             * @description The address of a billing page. Only with `quota_exceeded`.
             */
            upgrade_url?: string;
        };
        /** @description The identity of the caller. Exactly one of `apiKey` and `user` is set. */
        Identity: {
            /** @description The organization whose data the credential can access. */
            organization: {
                /**
                 * Format: uuid
                 * @description The id of the organization.
                 * @example 019a5c10-12ab-7d4e-9f30-1b2c3d4e5f05
                 */
                id: string;
                /**
                 * @description The name of the organization.
                 * @example Corner Shop Ltd
                 */
                name: string;
            };
            /**
             * @description The mode of the credential.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description The key of the request. Null for a user of the dashboard. */
            apiKey: components["schemas"]["IdentityApiKey"] | null;
            /**
             * @description The user of the dashboard. Null for a key.
             * @example null
             */
            user: components["schemas"]["IdentityUser"] | null;
            installation: components["schemas"]["IdentityInstallation"];
        };
        /** @description An API key. */
        IdentityApiKey: {
            /**
             * Format: uuid
             * @description The id of the key.
             * @example 019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06
             */
            id: string;
            /**
             * @description The name of the key.
             * @example Shop
             */
            name: string;
            /**
             * @description The first characters of the key, which identify it for people.
             * @example platen_live_4mGz
             */
            prefix: string;
            /**
             * @description The permitted operations. `admin` permits all.
             * @example [
             *       "read",
             *       "print"
             *     ]
             */
            scopes: ("read" | "print" | "admin")[];
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-02-26T16:20:05.000Z
             */
            createdAt: string;
        };
        /** @description A user of the dashboard. */
        IdentityUser: {
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description The e-mail address of the user. */
            email: string;
            /**
             * @description The permissions of the user.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
        };
        /** @description The optional parts that the operator of the service has switched on. */
        IdentityInstallation: {
            /**
             * @description Whether programs that speak to PrintNode can print (`PLATEN_PRINTNODE_API`).
             * @example false
             */
            printNode: boolean;
            /**
             * @description Whether documents can be read by `GET /v1/printjobs/{id}/document` (`PLATEN_DOCUMENT_PREVIEW`).
             * @example true
             */
            documentPreview: boolean;
        };
        /** @description The usage of the organization. A test key gets the live usage as well. */
        Usage: {
            /** @description The calendar month, in UTC. */
            period: {
                /**
                 * Format: date-time
                 * @description The start of the period.
                 * @example 2026-03-01T00:00:00.000Z
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description The start of the next period.
                 * @example 2026-04-01T00:00:00.000Z
                 */
                end: string;
            };
            /** @description The prints of the period. One print is one accepted live job, independent of its pages, `qty` and final state. */
            prints: {
                /**
                 * @description The number of live jobs that were accepted in this period.
                 * @example 1284
                 */
                used: number;
                /**
                 * @description The limit of the plan. Null: unlimited.
                 * @example null
                 */
                limit: number | null;
            };
            /** @description Enrolled computers. */
            computers: {
                /**
                 * @description The number of live computers.
                 * @example 3
                 */
                used: number;
                /**
                 * @description The limit of the plan. Null: unlimited.
                 * @example null
                 */
                limit: number | null;
            };
            /**
             * @description The plan of the organization.
             * @example self-hosted
             */
            plan: string;
            /** @description The test jobs of this UTC day. They are not prints and have a separate limit. */
            testJobsToday: {
                /**
                 * @description The number of test jobs that were accepted today.
                 * @example 17
                 */
                used: number;
                /**
                 * @description The largest number that is accepted in one UTC day.
                 * @example 500
                 */
                limit: number;
                /**
                 * Format: date-time
                 * @description The start of the next UTC day.
                 * @example 2026-03-03T00:00:00.000Z
                 */
                resetsAt: string;
            };
        };
        /** @description A page of intervals. */
        JobStatisticsPage: {
            /** @description The intervals of this page, in the requested order. */
            data: components["schemas"]["JobStatistics"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description Counts of jobs in an interval, and how long they took. */
        JobStatistics: {
            /**
             * Format: date-time
             * @description The start of the interval.
             * @example 2026-03-02T00:00:00.000Z
             */
            start: string;
            /**
             * @description The id of the printer, computer or key, or the `source`, by `groupBy` or the filter. Null for all jobs, and with `groupBy=key` for jobs that were not created with a key.
             * @example null
             */
            value: string | null;
            /**
             * @description The number of jobs that were created in the interval.
             * @example 214
             */
            accepted: number;
            /**
             * @description The number of jobs that ended as `done` in the interval.
             * @example 208
             */
            done: number;
            /**
             * @description The number of jobs that ended as `error` in the interval.
             * @example 3
             */
            error: number;
            /**
             * @description The number of jobs that ended as `cancelled` in the interval.
             * @example 1
             */
            cancelled: number;
            /**
             * @description The number of jobs that ended as `expired` in the interval.
             * @example 0
             */
            expired: number;
            /** @description The jobs that did not end as `done`, by their reason. Jobs without a reason are not in it. */
            reasons: {
                /**
                 * @description The final state.
                 * @example error
                 * @enum {string}
                 */
                state: "done" | "error" | "cancelled" | "expired";
                /**
                 * @description The reason of the end: a keyword, or `other` for one that is not documented.
                 * @example document-format-not-supported
                 */
                reason: string;
                /**
                 * @description The number of jobs.
                 * @example 2
                 */
                jobs: number;
            }[];
            /** @description The jobs that ended as `done`, by what confirmed the print. Jobs that ended in an earlier release are not in it. */
            confirmedBy: {
                /**
                 * @description The number of jobs that the printer itself said are on paper.
                 * @example 150
                 */
                printer: number;
                /**
                 * @description The number of jobs that the operating system, or the end of the connection, said are through.
                 * @example 57
                 */
                spooler: number;
                /**
                 * @description The number of jobs that nothing confirmed.
                 * @example 1
                 */
                nobody: number;
            };
            /** @description The time from the creation until the spooler had taken the job. Null without such a job. */
            secondsToPrinting: components["schemas"]["JobDurations"] | null;
            /** @description The time from the creation until the job was `done`. Null without such a job. */
            secondsToDone: components["schemas"]["JobDurations"] | null;
        };
        /** @description The times that jobs took, in seconds. The relative error is at most 10 %. */
        JobDurations: {
            /**
             * @description Half of the jobs took at most so many seconds.
             * @example 1.83
             */
            p50: number;
            /**
             * @description 95 % of the jobs took at most so many seconds.
             * @example 6.17
             */
            p95: number;
        };
        /** @description A page of print jobs. */
        PrintJobPage: {
            /** @description The print jobs of this page, in the requested order. */
            data: components["schemas"]["PrintJob"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description The result of a creation, as far as it is known before. */
        PrintJobValidation: {
            /**
             * @description The error that a creation would get. Null if it would be accepted.
             * @example null
             */
            refusal: components["schemas"]["PrintJobRefusal"] | null;
            /** @description The causes that would keep the job from being printed as requested. */
            warnings: components["schemas"]["PrintJobWarning"][];
            /** @description The options with the defaults of the printer, without those that it ignores. Null after a refusal, and empty for raw data. */
            options: components["schemas"]["PrintOptions"] | null;
            /**
             * @description The number of jobs that would be printed before, up to 100. Null without the printer.
             * @example 0
             */
            jobsBefore: number | null;
            /**
             * Format: uuid
             * @description The id of the destination. `printer` is the one that would get the job now. Null without one.
             * @example null
             */
            destinationId: string | null;
            /** @description The printer, without its capabilities. Null if the key has no such printer. */
            printer: components["schemas"]["EventPrinter"] | null;
            /** @description The computer of the printer. Null without the printer. */
            computer: components["schemas"]["Computer"] | null;
        };
        /** @description The error of a creation. */
        PrintJobRefusal: {
            /**
             * @description The code of the error.
             * @example printer_disabled
             */
            code: string;
            /**
             * @description The message of the error.
             * @example This printer is disabled. Enable it, or choose another one.
             */
            message: string;
        };
        /** @description A reason why the job would wait, fail or look different. */
        PrintJobWarning: {
            /**
             * @description The warning for programs. New ones can be added.
             * @example computer-offline
             * @enum {string}
             */
            code: "document-format-not-supported" | "option-ignored" | "computer-disk-full" | "computer-offline" | "computer-paused" | "computer-unauthorized" | "destination-unavailable" | "printer-offline" | "printer-waits" | "queue-paused";
            /**
             * @description The warning for people.
             * @example Computer Back office has been offline for 12 min. The job expires at 2026-03-03 09:30 UTC.
             */
            message: string;
        };
        /** @description Jobs that were created together. */
        PrintJobBatch: {
            /**
             * Format: uuid
             * @description The id of the batch, which each of its jobs has as `batchId`.
             * @example 019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6b10
             */
            id: string;
            /** @description The jobs, in the order in which they are printed. */
            jobs: components["schemas"]["PrintJob"][];
        };
        /** @description The numbers of jobs that a cancellation ended and did not end. */
        CancelledBatch: {
            /**
             * @description The number of jobs that are now `cancelled`.
             * @example 7
             */
            cancelled: number;
            /**
             * @description The number of the other jobs: their agents had received them, or they had ended.
             * @example 3
             */
            notCancelled: number;
        };
        /** @description All events of a job. This list has no pages. */
        PrintJobEventList: {
            /** @description All events of the job, the oldest first. */
            data: components["schemas"]["PrintJobEvent"][];
        };
        /** @description A change of the state of a job. */
        PrintJobEvent: {
            /**
             * @description The id of the event.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            state: components["schemas"]["JobState"];
            /**
             * @description An explanation for people, such as `resend 1/3` or the cause of a failure.
             * @example null
             */
            message: string | null;
            /**
             * @description The cause of the change: an API key (`api`), the agent, the service itself (`system`), or a user of the dashboard.
             * @example api
             * @enum {string}
             */
            actor: "api" | "agent" | "system" | "user";
            /**
             * Format: date-time
             * @description The time of the change.
             * @example 2026-03-02T09:30:00.125Z
             */
            createdAt: string;
        };
        /** @description An explanation of the state of a job. */
        PrintJobExplanation: {
            /**
             * Format: uuid
             * @description The id of the job.
             */
            jobId: string;
            /** @description The cause, for programs. A code never changes its meaning; new ones can be added. */
            code: string;
            /**
             * @description The result on paper. `none`: nothing was printed, and nothing will be. `not_yet`: nothing was printed, but the job continues. `printing`, `printed`. `maybe`: unknown; look for the paper before you print again.
             * @enum {string}
             */
            paper: "none" | "not_yet" | "printing" | "printed" | "maybe";
            /** @description The result on paper, for people. */
            headline: string;
            /** @description The cause, for people, with the names of printer and computer. */
            cause: string;
            /**
             * Format: date-time
             * @description The time since which the cause exists. Null if it is not known.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description The time at which the job ends at the latest if the cause remains. Null if it has ended.
             */
            until: string | null;
            /** @description The actions to take, the most important first. */
            actions: components["schemas"]["ExplanationAction"][];
            /** @description The facts on which the explanation is based. */
            facts: components["schemas"]["ExplanationFact"][];
            /** @description The job. */
            job: components["schemas"]["PrintJob"];
            /** @description The creator of the job. Null if it is not known. */
            createdBy: components["schemas"]["ExplanationActor"] | null;
            /** @description The sender of the cancellation. Null without one, or if it is not known. */
            cancelledBy: components["schemas"]["ExplanationActor"] | null;
            /** @description The newest 200 events of the job, the oldest first. */
            events: components["schemas"]["PrintJobEvent"][];
            /** @description Events of the printer and the computer from the creation of the job to its end, at most 100, the oldest first. */
            around: components["schemas"]["Event"][];
            /** @description The present printer, without its capabilities. Null if it was removed. */
            printer: components["schemas"]["EventPrinter"] | null;
            /** @description The present computer. Null if it was deleted. */
            computer: components["schemas"]["Computer"] | null;
            /** @description The queue of the printer. Null for a job that has ended. */
            queue: components["schemas"]["PrinterQueue"] | null;
        };
        /** @description A next step. */
        ExplanationAction: {
            /**
             * @description The kind of the action, for programs. New kinds can be added.
             * @example start_computer
             * @enum {string}
             */
            kind: "wait" | "release" | "start_computer" | "enrol_again" | "resume_computer" | "change_destination" | "enable_destination" | "run_doctor" | "check_agent" | "enable_printer" | "check_printer" | "resume_queue" | "check_queue" | "check_paper" | "check_trays" | "free_space" | "open_job" | "print_elsewhere" | "print_again" | "send_again" | "check_document" | "check_url" | "set_language" | "check_options" | "ask_operator";
            /**
             * @description The action, for people.
             * @example Switch computer Back office on and check its network.
             */
            text: string;
            /**
             * Format: uuid
             * @description The id of the printer of the action.
             */
            printerId?: string;
            /**
             * Format: uuid
             * @description The id of the computer of the action.
             */
            computerId?: string;
            /**
             * Format: uuid
             * @description The id of the job of the action.
             */
            jobId?: string;
        };
        /** @description A fact on which the explanation is based. */
        ExplanationFact: {
            /**
             * @description The subject of the fact.
             * @example computer
             */
            name: string;
            /**
             * @description The fact, for people.
             * @example Back office: offline
             */
            value: string;
            /**
             * @description The path of the resource. Null without one.
             * @example /v1/computers/019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            ref: string | null;
        };
        /** @description The sender of a request. */
        ExplanationActor: {
            /**
             * @description An API key, a user of the dashboard, or a print access.
             * @example key
             * @enum {string}
             */
            kind: "key" | "user" | "print_access";
            /**
             * Format: uuid
             * @description The id of the key, user or print access.
             * @example 019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06
             */
            id: string;
            /**
             * @description The name of the key, user or print access. Null if it is not shown to API keys.
             * @example Shop
             */
            name: string | null;
        };
        /**
         * @description A change of a print job, a computer or a printer, as webhooks deliver it. New types can be added.
         * @example {
         *       "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
         *       "type": "printjob.done",
         *       "timestamp": "2026-03-02T09:30:06.902Z",
         *       "mode": "live",
         *       "sequence": 5,
         *       "data": {
         *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
         *         "number": 1042,
         *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
         *         "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
         *         "destinationId": null,
         *         "title": "Invoice 1042",
         *         "contentType": "pdf_base64",
         *         "source": "shop",
         *         "reportedUser": null,
         *         "qty": 1,
         *         "options": {
         *           "duplex": "long-edge"
         *         },
         *         "metadata": {
         *           "order": "4711"
         *         },
         *         "batchId": null,
         *         "reprintOf": null,
         *         "retain": true,
         *         "expireAfter": 86400,
         *         "expiresAt": "2026-03-03T09:30:00.125Z",
         *         "notBefore": null,
         *         "fileSize": 15,
         *         "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
         *         "mode": "live",
         *         "state": "done",
         *         "stateMessage": null,
         *         "stateReasons": [],
         *         "confirmedBy": null,
         *         "createdAt": "2026-03-02T09:30:00.125Z",
         *         "sentAt": "2026-03-02T09:30:00.180Z",
         *         "receivedAt": "2026-03-02T09:30:00.342Z",
         *         "printingAt": "2026-03-02T09:30:00.518Z",
         *         "finishedAt": "2026-03-02T09:30:06.902Z"
         *       }
         *     }
         */
        Event: components["schemas"]["PrintJobQueuedEvent"] | components["schemas"]["PrintJobSentEvent"] | components["schemas"]["PrintJobReceivedEvent"] | components["schemas"]["PrintJobPrintingEvent"] | components["schemas"]["PrintJobDoneEvent"] | components["schemas"]["PrintJobErrorEvent"] | components["schemas"]["PrintJobCancelledEvent"] | components["schemas"]["PrintJobExpiredEvent"] | components["schemas"]["ComputerOnlineEvent"] | components["schemas"]["ComputerOfflineEvent"] | components["schemas"]["PrinterAddedEvent"] | components["schemas"]["PrinterRemovedEvent"] | components["schemas"]["PrinterOnlineEvent"] | components["schemas"]["PrinterOfflineEvent"] | components["schemas"]["PrinterUpdatedEvent"];
        /** @description The unfinished jobs of the printer. */
        PrinterQueue: {
            /**
             * @description The position of the job among the unfinished jobs of its printer. Null after the first 1,000 jobs of the computer.
             * @example 3
             */
            position: number | null;
            /**
             * @description The number of unfinished jobs of the printer, up to 1,000.
             * @example 12
             */
            length: number;
            /**
             * Format: uuid
             * @description The id of the first of these jobs.
             * @example 019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03
             */
            headJobId: string | null;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryPage: {
            /** @description The deliveries of this page, in the requested order. */
            data: components["schemas"]["WebhookDelivery"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description The delivery of an event to a webhook endpoint. */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The id of the delivery.
             * @example 019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the webhook endpoint.
             * @example 019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08
             */
            webhookId: string;
            /**
             * Format: uuid
             * @description The id of the delivered event, sent as `webhook-id`. The event of a test is in no feed.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: components["schemas"]["EventType"];
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description The number of attempts so far.
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @description The time of the next attempt. Null unless the delivery is `pending`.
             * @example 2026-03-02T09:30:12.310Z
             */
            nextAttemptAt: string | null;
            /**
             * @description The HTTP status of the last response. Null without a response.
             * @example 503
             */
            lastStatusCode: number | null;
            /**
             * @description The class of the error of the last attempt. Null if it succeeded.
             * @example status
             */
            lastError: ("timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | "status" | "secret") | null;
            /**
             * Format: date-time
             * @description The time of the creation.
             * @example 2026-03-02T09:30:07.010Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the first 2xx response. Null before.
             * @example null
             */
            deliveredAt: string | null;
            /** @description The job of the event. Null for events of printers and computers, for tests, and if the event is no longer stored. */
            job: components["schemas"]["DeliveredJob"] | null;
        };
        /** @description The job of a delivered event. */
        DeliveredJob: {
            /**
             * Format: uuid
             * @description The id of the job.
             * @example 019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03
             */
            id: string;
            /**
             * @description The title of the job.
             * @example Invoice 1042
             */
            title: string;
            /**
             * Format: uuid
             * @description The id of the printer.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            printerId: string;
        };
        /** @description The pictures of a document. */
        Preview: {
            /**
             * @description The language that the document was drawn as.
             * @example zpl
             * @enum {string}
             */
            language: "zpl" | "escpos";
            /** @description The labels in their order, or one receipt. */
            pages: components["schemas"]["PreviewPage"][];
        };
        /** @description One label, or a receipt. */
        PreviewPage: {
            /**
             * @description The picture as an SVG document, without scripts and links. Its units are dots of the printer.
             * @example <svg xmlns="http://www.w3.org/2000/svg" …></svg>
             */
            svg: string;
            /**
             * @description The width of the page.
             * @example 101.5
             */
            widthMm: number;
            /**
             * @description The length of the page.
             * @example 152.38
             */
            heightMm: number;
            /** @description The parts of the document that the picture does not show. The first label has those of all labels. */
            warnings: components["schemas"]["PreviewWarning"][];
            /** @description The actions of a receipt printer beside printing; empty for labels. */
            events: components["schemas"]["PreviewEvent"][];
        };
        /** @description A part of the document that the picture does not show. */
        PreviewWarning: {
            /**
             * @description The position of the command in the document, in bytes.
             * @example 120
             */
            offset: number;
            /**
             * @description A sentence about the part that the picture does not show.
             * @example Unknown command "^QQ".
             */
            message: string;
        };
        /** @description An action of a receipt printer beside printing. */
        PreviewEvent: {
            /**
             * @description The action.
             * @example cut
             * @enum {string}
             */
            kind: "cut" | "drawer" | "buzzer";
            /**
             * @description The length of paper that was fed before the action.
             * @example 80
             */
            atMm: number;
        };
        /** @description A page of printers. */
        PrinterPage: {
            /** @description The printers of this page, in the requested order. */
            data: components["schemas"]["Printer"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description A printer that an agent has reported. */
        Printer: {
            /**
             * Format: uuid
             * @description The id of the printer. It does not change while the computer and `osName` are the same.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            id: string;
            /**
             * @description A number for people, counted per organization and mode, never used again.
             * @example 12
             */
            number: number;
            /**
             * Format: uuid
             * @description The id of the computer of the printer.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            computerId: string;
            /**
             * @description The name that the agent reports.
             * @example Office laser
             */
            name: string;
            /**
             * @description The name of the printer in the operating system.
             * @example office-laser
             */
            osName: string;
            /**
             * @description The description that the driver reports.
             * @example A4 mono laser printer
             */
            description: string;
            /**
             * @description The name for people. Editable.
             * @example Back office
             */
            displayName: string;
            /**
             * @description Your notes. Editable.
             * @example Refill tray 2 on Mondays
             */
            remarks: string | null;
            /**
             * @description True if the printer accepts jobs. Jobs that were accepted before it was disabled wait in `queued`. Editable.
             * @example true
             */
            enabled: boolean;
            /**
             * @description True if computers can print on it with a print access. Editable.
             * @example false
             */
            shared: boolean;
            /**
             * @description True for the default printer of the computer.
             * @example true
             */
            isDefault: boolean;
            /**
             * @description The state of the printer, `unknown` while its computer is offline. A printer that is not online accepts jobs, which wait.
             * @example online
             * @enum {string}
             */
            state: "online" | "offline" | "unknown";
            /**
             * @description Details of the state for people, such as out of paper or cover open. Can be empty.
             * @example
             */
            stateDetail: string;
            /**
             * @description Details of the state for programs: IPP keywords such as `media-empty` or `cover-open`.
             * @example []
             */
            stateReasons: string[];
            capabilities: components["schemas"]["Capabilities"];
            /**
             * @description Options for jobs that do not set them. Editable.
             * @example {
             *       "paper": "A4"
             *     }
             */
            defaultOptions: components["schemas"]["PrintOptions"];
            /** @description Your custom paper sizes, at most 50. Editable. */
            customPapers: components["schemas"]["CustomPaper"][];
            /**
             * @description The number of seconds that a job can wait for its agent if it has no `expireAfter`. Null: 86,400, a day. Editable.
             * @example null
             */
            defaultExpireAfter: number | null;
            /**
             * Format: date-time
             * @description The time of the first report.
             * @example 2026-02-27T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             * @example 2026-03-02T08:15:42.310Z
             */
            updatedAt: string;
        };
        /** @description The capabilities of a printer, as the operating system and the installed driver report them. Read only. */
        Capabilities: {
            /**
             * @description The papers by name, as `[width, height]` in tenths of a millimetre. A side is null if the driver reports none, for example for a roll. The names are values of the option `paper`.
             * @example {
             *       "A4": [
             *         2100,
             *         2970
             *       ],
             *       "A5": [
             *         1480,
             *         2100
             *       ]
             *     }
             */
            papers: {
                [key: string]: (number | null)[];
            };
            /**
             * @description The values of the option `bin`.
             * @example [
             *       "auto",
             *       "tray-2"
             *     ]
             */
            bins: string[];
            /**
             * @description The values of the option `dpi`, written `600x600`.
             * @example [
             *       "600x600"
             *     ]
             */
            dpis: string[];
            /**
             * @description The values of the option `media`.
             * @example [
             *       "stationery"
             *     ]
             */
            medias: string[];
            /**
             * @description The smallest and the largest custom paper, `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a millimetre. Null if the driver reports none.
             * @example [
             *       [
             *         760,
             *         1270
             *       ],
             *       [
             *         2160,
             *         3560
             *       ]
             *     ]
             */
            extent: (number | null)[][] | null;
            /** @description The rated speed of the printer. Null if the driver reports none. */
            printrate: components["schemas"]["PrintRate"] | null;
            /**
             * @description True if the printer prints on both sides.
             * @example true
             */
            duplex: boolean;
            /**
             * @description True if the printer prints in colour.
             * @example false
             */
            color: boolean;
            /**
             * @description True if the printer sorts copies into sets.
             * @example true
             */
            collate: boolean;
            /**
             * @description The largest value of the option `copies`.
             * @example 99
             */
            copies: number;
            /**
             * @description The values of the option `nup`, numbers of pages on one sheet.
             * @example [
             *       1,
             *       2,
             *       4
             *     ]
             */
            nup: number[];
            /**
             * @description True if the printer accepts papers that are not in `papers`.
             * @example true
             */
            supports_custom_paper_size: boolean;
            /**
             * @description True if the printer accepts raw data only, and its agent draws PDFs and images in its language.
             * @example false
             */
            rasterizes: boolean;
            /**
             * @description The documents that the printer takes: `pdf`, which includes images, and `raw`. Null if its agent does not report them. New ones can be added.
             * @example [
             *       "pdf",
             *       "raw"
             *     ]
             */
            formats: string[] | null;
            /**
             * @description The way in which the agent draws PDFs and images for the printer. Null if it draws nothing, or does not report it.
             * @example {
             *       "rawLanguage": "zpl",
             *       "dpi": 203,
             *       "width": 812
             *     }
             */
            raster: components["schemas"]["Raster"] | null;
            /**
             * @description The language in which the agent asks a raw printer for its state and what it has printed: `zpl`, `escpos`, `star`, `sbpl` or `pjl`. Null if it does not ask it, or does not report it. New ones can be added.
             * @example zpl
             */
            language: string | null;
        };
        /** @description The rated speed of a printer. */
        PrintRate: {
            /**
             * @description The rated speed in `unit`.
             * @example 30
             */
            rate: number;
            /**
             * @description The unit of `rate`: `ppm` is pages a minute.
             * @example ppm
             */
            unit: string;
        };
        /** @description The way in which an agent draws PDFs and images for a printer. */
        Raster: {
            /**
             * @description The language of the printer: `zpl` or `escpos`.
             * @example zpl
             */
            rawLanguage: string;
            /**
             * @description The dots per inch.
             * @example 203
             */
            dpi: number;
            /**
             * @description The width of the printed area in dots.
             * @example 812
             */
            width: number;
        };
        /** @description The numbers of jobs that the purge ended. */
        PurgedPrinter: {
            /**
             * @description The number of jobs that were in `queued` or `sent` and are `cancelled`.
             * @example 7
             */
            cancelled: number;
            /**
             * @description The number of jobs that were in `received` or `printing` and are in `error`.
             * @example 5
             */
            ended: number;
        };
        /** @description A role, such as `kitchen`, whose jobs are printed by one of several printers. */
        Destination: {
            /**
             * Format: uuid
             * @description The id of the destination.
             * @example 019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09
             */
            id: string;
            /**
             * @description A number for people, counted per organization and mode, never used again.
             * @example 3
             */
            number: number;
            /**
             * @description The name, unique in the organization and mode.
             * @example kitchen
             */
            name: string;
            /** @description The printers in their order. */
            printers: components["schemas"]["DestinationPrinter"][];
            /**
             * @description The choice of the printer that takes the next job. `first`: the first available one of the list, and a later one only when each earlier one has been unavailable for `standbyAfter` seconds. `any`: every available one, so that the jobs spread.
             * @example first
             * @enum {string}
             */
            policy: "first" | "any";
            /**
             * @description The number of seconds for which each earlier printer must be unavailable before a later one takes a job, of the policy `first`.
             * @example 30
             */
            standbyAfter: number;
            /**
             * @description True if the destination accepts jobs. Jobs that were accepted before it was disabled wait.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The `expireAfter` of its jobs that do not have one. Null: that of all jobs.
             * @example 3600
             */
            expireAfter: number | null;
            /**
             * @description The number of jobs that wait for a printer.
             * @example 0
             */
            waitingJobs: number;
            /**
             * Format: uuid
             * @description The id of the printer that would get the next job. Null if none may take one now.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            nextPrinterId: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-03-02T09:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-03-02T09:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description A printer of a destination, and what it does now. */
        DestinationPrinter: {
            /**
             * Format: uuid
             * @description The id of the printer.
             * @example 019a5c1e-7d11-7e55-8a42-94c1b0d7f602
             */
            printerId: string;
            /**
             * @description The name of the printer for people. Empty for a printer that was removed long ago.
             * @example Kitchen printer
             */
            name: string;
            /**
             * Format: uuid
             * @description The id of its computer. Null for a printer that was removed long ago.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            computerId: string | null;
            /**
             * @description The cause why the printer takes no job, as a code of explanations. Null if it is available. New codes can be added.
             * @example null
             */
            reason: ("printer-removed" | "computer-paused" | "printer-disabled" | "computer-unauthorized" | "computer-offline" | "printer-offline" | "computer-disk-full" | "queue-paused" | "printer-waits") | null;
            /**
             * @description The state of the printer for people, such as out of paper. Null if there is nothing to say.
             * @example null
             */
            detail: string | null;
            /**
             * Format: date-time
             * @description The time since which the printer is not available. Null if it is available.
             * @example null
             */
            since: string | null;
            /**
             * Format: uuid
             * @description The job of a destination that the printer has taken and not finished. It takes no other one before.
             * @example null
             */
            jobId: string | null;
        };
        /** @description A page of destinations. */
        DestinationPage: {
            /** @description The destinations of this page, in the requested order. */
            data: components["schemas"]["Destination"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description A page of computers. */
        ComputerPage: {
            /** @description The computers of this page, in the requested order. */
            data: components["schemas"]["Computer"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description A page of events. */
        EventPage: {
            /** @description The events of this page, in the requested order. */
            data: components["schemas"]["Event"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description All types of events. This list has no pages. */
        EventTypeList: {
            /** @description All types of events, in the order of the documentation. */
            data: components["schemas"]["EventTypeDescription"][];
            /**
             * @description Always `false`, because all types are on one page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description Always `null`.
             * @example null
             */
            nextCursor: string | null;
        };
        /** @description A type of events. */
        EventTypeDescription: {
            type: components["schemas"]["EventType"];
            /**
             * @description The cause of such an event.
             * @example The spooler has finished a print job.
             */
            description: string;
            /**
             * @description The JSON Schema (draft 2020-12) of such an event, without references.
             * @example {
             *       "type": "object",
             *       "required": [
             *         "id",
             *         "type",
             *         "timestamp",
             *         "mode",
             *         "sequence",
             *         "data"
             *       ]
             *     }
             */
            schema: {
                [key: string]: unknown;
            };
            /**
             * @description An example of such an event.
             * @example {
             *       "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
             *       "type": "printjob.done",
             *       "timestamp": "2026-03-02T09:30:06.902Z",
             *       "mode": "live",
             *       "sequence": 5,
             *       "data": {
             *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
             *         "number": 1042,
             *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
             *         "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
             *         "destinationId": null,
             *         "title": "Invoice 1042",
             *         "contentType": "pdf_base64",
             *         "source": "shop",
             *         "reportedUser": null,
             *         "qty": 1,
             *         "options": {
             *           "duplex": "long-edge"
             *         },
             *         "metadata": {
             *           "order": "4711"
             *         },
             *         "batchId": null,
             *         "reprintOf": null,
             *         "retain": true,
             *         "expireAfter": 86400,
             *         "expiresAt": "2026-03-03T09:30:00.125Z",
             *         "notBefore": null,
             *         "fileSize": 15,
             *         "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
             *         "mode": "live",
             *         "state": "done",
             *         "stateMessage": null,
             *         "stateReasons": [],
             *         "confirmedBy": null,
             *         "createdAt": "2026-03-02T09:30:00.125Z",
             *         "sentAt": "2026-03-02T09:30:00.180Z",
             *         "receivedAt": "2026-03-02T09:30:00.342Z",
             *         "printingAt": "2026-03-02T09:30:00.518Z",
             *         "finishedAt": "2026-03-02T09:30:06.902Z"
             *       }
             *     }
             */
            example: {
                [key: string]: unknown;
            };
        };
        /** @description A print access with its secret. */
        CreatedPrintAccessKey: {
            /**
             * Format: uuid
             * @description The id of the print access.
             * @example 019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04
             */
            id: string;
            /**
             * @description The name for people.
             * @example Anna's laptop
             */
            name: string;
            /**
             * @description The mode of the printers and jobs.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description The printers on which it prints, while they are shared. Null: all shared printers.
             * @example null
             */
            printerIds: string[] | null;
            /**
             * @description The member who prints with it, and with whose membership it ends. Null: none.
             * @example {
             *       "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
             *       "email": "anna@example.com"
             *     }
             */
            user: components["schemas"]["PrintAccessUser"] | null;
            /**
             * @description The last four characters of the secret.
             * @example q7xm
             */
            lastFour: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-03-02T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of its last use, accurate to one minute. Null before the first.
             * @example null
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description The time of its revocation. Null while it is valid.
             * @example null
             */
            revokedAt: string | null;
            /**
             * @description The secret, which is shown only once. It is a password, or the last part of the address of a printer.
             * @example k4xq2mzr7tbn5wyd3hfa6gcpq7
             */
            secret: string;
        };
        /** @description The member who prints with a print access. */
        PrintAccessUser: {
            /**
             * Format: uuid
             * @description The id of the member.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            id: string;
            /**
             * @description The e-mail address. Null if a key asks.
             * @example anna@example.com
             */
            email: string | null;
        };
        /** @description Print accesses. This list has no pages. */
        PrintAccessKeyList: {
            /** @description The valid ones first, each the newest first. */
            data: components["schemas"]["PrintAccessKey"][];
        };
        /** @description A secret with which a computer prints. */
        PrintAccessKey: {
            /**
             * Format: uuid
             * @description The id of the print access.
             * @example 019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04
             */
            id: string;
            /**
             * @description The name for people.
             * @example Anna's laptop
             */
            name: string;
            /**
             * @description The mode of the printers and jobs.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description The printers on which it prints, while they are shared. Null: all shared printers.
             * @example null
             */
            printerIds: string[] | null;
            /**
             * @description The member who prints with it, and with whose membership it ends. Null: none.
             * @example {
             *       "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
             *       "email": "anna@example.com"
             *     }
             */
            user: components["schemas"]["PrintAccessUser"] | null;
            /**
             * @description The last four characters of the secret.
             * @example q7xm
             */
            lastFour: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-03-02T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of its last use, accurate to one minute. Null before the first.
             * @example null
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description The time of its revocation. Null while it is valid.
             * @example null
             */
            revokedAt: string | null;
        };
        /** @description A token for the enrolment of computers by their agents. */
        Enrollment: {
            /**
             * Format: uuid
             * @description The id of the token.
             * @example 019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04
             */
            id: string;
            /**
             * @description The token for the agent. It is shown only once.
             * @example platen_enroll_4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3
             */
            token: string;
            /**
             * Format: date-time
             * @description The time at which the token expires.
             * @example 2026-03-02T09:45:00.000Z
             */
            expiresAt: string;
            /**
             * @description The number of computers that can be enrolled with the token.
             * @example 1
             */
            maxUses: number;
            commands: components["schemas"]["EnrollmentCommands"];
        };
        /** @description The command that installs and enrols an agent, by system, as the dashboard shows it. Null: the installation offers no package for it, see `GET /agents/`. */
        EnrollmentCommands: {
            /**
             * @description The command for a terminal of Linux. It downloads and installs the agent, and asks for the token.
             * @example curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers
             */
            linux: string | null;
            /**
             * @description The command for a terminal of macOS. It asks for the token.
             * @example curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers
             */
            macos: string | null;
            /**
             * @description The command for PowerShell, started as administrator. It asks for the token.
             * @example & ([scriptblock]::Create((irm https://print.example.com/agents/install.ps1))) -Server https://print.example.com -AllowNetworkPrinters
             */
            windows: string | null;
            /**
             * @description The command for a server with Docker. It contains the token. Replace the address of CUPS.
             * @example null
             */
            docker: string | null;
            /**
             * @description The command for the computer of the service, in the clone of Platen, while `npm start` runs. It contains the token. Null for other installations.
             * @example null
             */
            thisComputer: string | null;
        };
        /** @description A page of enrolment tokens. */
        EnrollmentPage: {
            /** @description The enrolment tokens of this page, in the requested order. */
            data: components["schemas"]["ListedEnrollment"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description An enrolment token, without the token itself. */
        ListedEnrollment: {
            /**
             * Format: uuid
             * @description The id of the token.
             * @example 019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04
             */
            id: string;
            /**
             * Format: date-time
             * @description The time at which the token expires.
             * @example 2026-03-02T09:45:00.000Z
             */
            expiresAt: string;
            /**
             * @description The number of computers that can be enrolled with the token.
             * @example 1
             */
            maxUses: number;
            /**
             * @description The number of computers that were enrolled with the token.
             * @example 1
             */
            uses: number;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-03-02T09:30:00.000Z
             */
            createdAt: string;
        };
        /** @description An enrolled computer. */
        EnrolledAgent: {
            /**
             * Format: uuid
             * @description The id of the computer, unchanged if `previousCredential` was valid.
             * @example 019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01
             */
            computerId: string;
            /**
             * @description The credential of the agent. It is shown only once.
             * @example platen_agent_7sKd8hNf34mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3aQkQ7vRg
             */
            credential: string;
            /**
             * @description The address to which the agent connects.
             * @example https://agents.print.example
             */
            agentUrl: string;
        };
        /** @description An endpoint with its new secret. */
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description The id of the endpoint.
             * @example 019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08
             */
            id: string;
            /**
             * @description The URL to which events are sent.
             * @example https://erp.example.com/hooks/platen
             */
            url: string;
            /**
             * @description The types of the events that are sent.
             * @example [
             *       "printjob.done",
             *       "printjob.error"
             *     ]
             */
            events: components["schemas"]["EventType"][];
            /**
             * @description Your notes.
             * @example Orders in the ERP
             */
            description: string | null;
            /**
             * @description True if events are sent. While it is false, deliveries are stored as `missed` and can be replayed later.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The reason for which the endpoint is disabled: `user` (by a PATCH) or `failures` (after five days without a success). Null while it is enabled.
             * @example null
             */
            disabledReason: ("user" | "failures") | null;
            /**
             * Format: date-time
             * @description The time of the first failed attempt since the last success. Null without one.
             * @example null
             */
            failingSince: string | null;
            /**
             * @description The HTTP status of the last failed attempt. Null without a response, and while the endpoint works.
             * @example null
             */
            lastStatusCode: number | null;
            /**
             * @description The class of the error of the last failed attempt. Null while the endpoint works.
             * @example null
             */
            lastError: ("timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | "status" | "secret") | null;
            /**
             * Format: date-time
             * @description The time of the next attempt of any delivery while the endpoint fails. A time in the past is due. Null if no attempt follows, and while the endpoint works.
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description The mode whose events are sent.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * Format: date-time
             * @description The time of the creation.
             * @example 2026-03-02T09:00:00.000Z
             */
            createdAt: string;
            /**
             * @description The secret that signs deliveries, in the form of Standard Webhooks. It is shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        /** @description A page of webhook endpoints. */
        WebhookEndpointPage: {
            /** @description The webhook endpoints of this page, in the requested order. */
            data: components["schemas"]["WebhookEndpoint"][];
            /**
             * @description True if more items follow this page.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.
             * @example AZpcITt6fw6hxF0uj5tqAw
             */
            nextCursor: string | null;
        };
        /** @description A URL to which events are sent. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description The id of the endpoint.
             * @example 019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08
             */
            id: string;
            /**
             * @description The URL to which events are sent.
             * @example https://erp.example.com/hooks/platen
             */
            url: string;
            /**
             * @description The types of the events that are sent.
             * @example [
             *       "printjob.done",
             *       "printjob.error"
             *     ]
             */
            events: components["schemas"]["EventType"][];
            /**
             * @description Your notes.
             * @example Orders in the ERP
             */
            description: string | null;
            /**
             * @description True if events are sent. While it is false, deliveries are stored as `missed` and can be replayed later.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The reason for which the endpoint is disabled: `user` (by a PATCH) or `failures` (after five days without a success). Null while it is enabled.
             * @example null
             */
            disabledReason: ("user" | "failures") | null;
            /**
             * Format: date-time
             * @description The time of the first failed attempt since the last success. Null without one.
             * @example null
             */
            failingSince: string | null;
            /**
             * @description The HTTP status of the last failed attempt. Null without a response, and while the endpoint works.
             * @example null
             */
            lastStatusCode: number | null;
            /**
             * @description The class of the error of the last failed attempt. Null while the endpoint works.
             * @example null
             */
            lastError: ("timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | "status" | "secret") | null;
            /**
             * Format: date-time
             * @description The time of the next attempt of any delivery while the endpoint fails. A time in the past is due. Null if no attempt follows, and while the endpoint works.
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description The mode whose events are sent.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * Format: date-time
             * @description The time of the creation.
             * @example 2026-03-02T09:00:00.000Z
             */
            createdAt: string;
        };
        /** @description A delivery with its payload and attempts. */
        WebhookDeliveryDetail: {
            /**
             * Format: uuid
             * @description The id of the delivery.
             * @example 019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the webhook endpoint.
             * @example 019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08
             */
            webhookId: string;
            /**
             * Format: uuid
             * @description The id of the delivered event, sent as `webhook-id`. The event of a test is in no feed.
             * @example 019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: components["schemas"]["EventType"];
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description The number of attempts so far.
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @description The time of the next attempt. Null unless the delivery is `pending`.
             * @example 2026-03-02T09:30:12.310Z
             */
            nextAttemptAt: string | null;
            /**
             * @description The HTTP status of the last response. Null without a response.
             * @example 503
             */
            lastStatusCode: number | null;
            /**
             * @description The class of the error of the last attempt. Null if it succeeded.
             * @example status
             */
            lastError: ("timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | "status" | "secret") | null;
            /**
             * Format: date-time
             * @description The time of the creation.
             * @example 2026-03-02T09:30:07.010Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the first 2xx response. Null before.
             * @example null
             */
            deliveredAt: string | null;
            /** @description The job of the event. Null for events of printers and computers, for tests, and if the event is no longer stored. */
            job: components["schemas"]["DeliveredJob"] | null;
            /** @description The event, sent with the same bytes by each attempt. Null if the event is no longer stored. */
            payload: components["schemas"]["Event"] | null;
            /** @description The latest 100 attempts, the oldest first. */
            attemptLog: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description An attempt to deliver an event. */
        DeliveryAttempt: {
            /**
             * @description The number of the attempt, counted from 1.
             * @example 1
             */
            number: number;
            /**
             * @description The cause of the attempt: `scheduled` (first attempt or retry), `replay` or `test`.
             * @example scheduled
             * @enum {string}
             */
            trigger: "scheduled" | "replay" | "test";
            /**
             * Format: date-time
             * @description The time of the start.
             * @example 2026-03-02T09:30:07.021Z
             */
            at: string;
            /**
             * @description The duration in milliseconds.
             * @example 84
             */
            durationMs: number;
            /**
             * @description The HTTP status of the response. Null without a response.
             * @example 503
             */
            statusCode: number | null;
            /**
             * @description The class of the error. Null if the attempt succeeded.
             * @example status
             */
            errorClass: ("timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | "status" | "secret") | null;
            /**
             * @description The first kilobyte of the response. Null without a response, and for a receiver in a private network.
             * @example down for maintenance
             */
            response: string | null;
        };
        /** @description The result of the replay of a range. */
        WebhookReplay: {
            /**
             * @description The number of deliveries that are pending again.
             * @example 42
             */
            replayed: number;
            /** @description The times of the range without deliveries, because a user had disabled the endpoint for more than 5 days. Oldest first. `GET /v1/events` lists their events. */
            gaps: components["schemas"]["WebhookGap"][];
        };
        /** @description A time without deliveries. */
        WebhookGap: {
            /**
             * Format: date-time
             * @description The begin.
             * @example 2026-03-02T09:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description The end.
             * @example 2026-03-02T09:30:00.000Z
             */
            until: string;
        };
        /** @description The body of every error response. */
        Error: {
            error: components["schemas"]["ErrorDetail"];
        };
    };
    responses: {
        /** @description `invalid_request`: The request is invalid: malformed JSON, a missing field, an unknown field, an unknown parameter, or a value out of range. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: No valid credential: the credentials are missing, the credentials are invalid, the API key has expired, or the session has ended. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `forbidden`: The operation is not permitted on this resource or to the role of the user.
         *
         *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
         */
        ForbiddenOrOrganizationSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `request_timeout`: The request arrives too slowly. Send it again. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `content_too_large`: Too large: the document is larger than 25 MB (26,214,400 bytes) or the body exceeds the limit of the operation. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: Too much at once: more than 20 requests of the key in a second, more than 200 of all keys of the organization, too many uploads at once, too many waiting requests at once, too much other work at once, as many unfinished jobs as the organization can have (by default 100,000), or as many live jobs within 24 hours as it can create (by default 200,000). Wait for `Retry-After`. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: The service has a defect. Try again with backoff. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `service_unavailable`: A part of the service does not answer. Try again with backoff. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: The body is not uncompressed `application/json` in UTF-8, nor `multipart/form-data` where the operation accepts it. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `rate_limited`: Too much at once: more than 20 requests of the key in a second, more than 200 of all keys of the organization, too many uploads at once, too many waiting requests at once, too much other work at once, as many unfinished jobs as the organization can have (by default 100,000), or as many live jobs within 24 hours as it can create (by default 200,000). Wait for `Retry-After`.
         *
         *     `test_mode_daily_cap`: The organization has used all test jobs of this UTC day: `testJobsToday.limit` of `GET /v1/usage`. `Retry-After` is the time until the next day.
         */
        RateLimitedOrTestModeDailyCap: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `service_unavailable`: A part of the service does not answer. Try again with backoff.
         *
         *     `storage_unavailable`: The document store cannot be used. Try again with backoff.
         */
        ServiceUnavailableOrStorageUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `quota_exceeded`: The plan permits no more prints in this period, no more computers, or no more stored documents (by default 20 GiB). `upgrade_url` offers a larger plan. */
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: Not found: the path does not exist, the resource does not exist, it belongs to another organization, or it belongs to another mode. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed. Send the same request again after `Retry-After`. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `file_expired`: The document is no longer stored: documents are stored for 7 days or only until their job has ended if its `retain` is false. */
        FileExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_cancellable`: The job cannot be cancelled: the agent has received the job or the job has ended. */
        NotCancellable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_content`: The document does not match `contentType`: it is not standard base64 (line breaks are permitted), it is not a PDF, or it is not an image. */
        InvalidContent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `limit_reached`: The organization has the largest permitted number of these resources. */
        LimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `destination_in_use`: Jobs wait for the destination. `waitingJobs=end` ends them. */
        DestinationInUse: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `cursor_expired`: Events after the cursor are no longer stored. Get a new cursor with `after=now`, then read the present state of the resources, and follow from the cursor. */
        CursorExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `mode_mismatch`: The key has the wrong mode. */
        ModeMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `organization_suspended`: The organization is suspended. Ask the operator of the service. */
        OrganizationSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_url`: The URL of the webhook endpoint is not permitted. */
        InvalidUrl: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `endpoint_disabled`: The webhook endpoint is disabled. */
        EndpointDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The maximum number of items of the page. */
        limit: number;
        /** @description The `nextCursor` of an earlier page, whose next items are returned. */
        after: string;
        /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
        dir: "asc" | "desc";
        /** @description A key that makes the request safe to repeat. The same key with the same body returns the first job and creates nothing. A key is known for 24 hours, by organization and mode. A new intent, such as a reprint, needs a new key. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of this request: your own `X-Request-Id` if it consists of at most 128 letters, digits, `.`, `_` and `-`.
         * @example 0d9d4f6c-6d0f-4b9e-8f3e-0a4a1d1c7d54
         */
        "X-Request-Id": string;
        /**
         * @description The number of requests that the key can make in a second.
         * @example 20
         */
        "RateLimit-Limit": number;
        /**
         * @description The requests of the key that are still accepted in the current second.
         * @example 19
         */
        "RateLimit-Remaining": number;
        /**
         * @description The number of seconds until another request is permitted: 0 or 1.
         * @example 1
         */
        "RateLimit-Reset": number;
        /**
         * @description The number of seconds to wait before the request is repeated.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description `true` if an earlier request with the same `Idempotency-Key` created the job.
         * @example true
         */
        "Idempotent-Replayed": "true";
        /**
         * @description The authentication schemes.
         * @example Bearer, Basic realm="Platen"
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type PrintJobRequest = components['schemas']['PrintJobRequest'];
export type DocumentAuthentication = components['schemas']['DocumentAuthentication'];
export type DocumentCredentials = components['schemas']['DocumentCredentials'];
export type PrintOptions = components['schemas']['PrintOptions'];
export type PrintJobForm = components['schemas']['PrintJobForm'];
export type JobState = components['schemas']['JobState'];
export type PrintJobValidationRequest = components['schemas']['PrintJobValidationRequest'];
export type PrintJobBatchRequest = components['schemas']['PrintJobBatchRequest'];
export type PreviewRequest = components['schemas']['PreviewRequest'];
export type PreviewForm = components['schemas']['PreviewForm'];
export type PrinterChanges = components['schemas']['PrinterChanges'];
export type CustomPaper = components['schemas']['CustomPaper'];
export type PrinterPurge = components['schemas']['PrinterPurge'];
export type DestinationRequest = components['schemas']['DestinationRequest'];
export type DestinationChanges = components['schemas']['DestinationChanges'];
export type PrintAccessRequest = components['schemas']['PrintAccessRequest'];
export type EnrollmentRequest = components['schemas']['EnrollmentRequest'];
export type AgentEnrollment = components['schemas']['AgentEnrollment'];
export type WebhookRequest = components['schemas']['WebhookRequest'];
export type EventType = components['schemas']['EventType'];
export type PrintJobQueuedEvent = components['schemas']['PrintJobQueuedEvent'];
export type PrintJob = components['schemas']['PrintJob'];
export type PrintJobSentEvent = components['schemas']['PrintJobSentEvent'];
export type PrintJobReceivedEvent = components['schemas']['PrintJobReceivedEvent'];
export type PrintJobPrintingEvent = components['schemas']['PrintJobPrintingEvent'];
export type PrintJobDoneEvent = components['schemas']['PrintJobDoneEvent'];
export type PrintJobErrorEvent = components['schemas']['PrintJobErrorEvent'];
export type PrintJobCancelledEvent = components['schemas']['PrintJobCancelledEvent'];
export type PrintJobExpiredEvent = components['schemas']['PrintJobExpiredEvent'];
export type ComputerOnlineEvent = components['schemas']['ComputerOnlineEvent'];
export type Computer = components['schemas']['Computer'];
export type AgentUpdate = components['schemas']['AgentUpdate'];
export type SpoolerProblem = components['schemas']['SpoolerProblem'];
export type ComputerOfflineEvent = components['schemas']['ComputerOfflineEvent'];
export type PrinterAddedEvent = components['schemas']['PrinterAddedEvent'];
export type EventPrinter = components['schemas']['EventPrinter'];
export type PrinterRemovedEvent = components['schemas']['PrinterRemovedEvent'];
export type PrinterOnlineEvent = components['schemas']['PrinterOnlineEvent'];
export type PrinterOfflineEvent = components['schemas']['PrinterOfflineEvent'];
export type PrinterUpdatedEvent = components['schemas']['PrinterUpdatedEvent'];
export type WebhookChanges = components['schemas']['WebhookChanges'];
export type WebhookSecretRotation = components['schemas']['WebhookSecretRotation'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type WebhookReplayRange = components['schemas']['WebhookReplayRange'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Identity = components['schemas']['Identity'];
export type IdentityApiKey = components['schemas']['IdentityApiKey'];
export type IdentityUser = components['schemas']['IdentityUser'];
export type IdentityInstallation = components['schemas']['IdentityInstallation'];
export type Usage = components['schemas']['Usage'];
export type JobStatisticsPage = components['schemas']['JobStatisticsPage'];
export type JobStatistics = components['schemas']['JobStatistics'];
export type JobDurations = components['schemas']['JobDurations'];
export type PrintJobPage = components['schemas']['PrintJobPage'];
export type PrintJobValidation = components['schemas']['PrintJobValidation'];
export type PrintJobRefusal = components['schemas']['PrintJobRefusal'];
export type PrintJobWarning = components['schemas']['PrintJobWarning'];
export type PrintJobBatch = components['schemas']['PrintJobBatch'];
export type CancelledBatch = components['schemas']['CancelledBatch'];
export type PrintJobEventList = components['schemas']['PrintJobEventList'];
export type PrintJobEvent = components['schemas']['PrintJobEvent'];
export type PrintJobExplanation = components['schemas']['PrintJobExplanation'];
export type ExplanationAction = components['schemas']['ExplanationAction'];
export type ExplanationFact = components['schemas']['ExplanationFact'];
export type ExplanationActor = components['schemas']['ExplanationActor'];
export type Event = components['schemas']['Event'];
export type PrinterQueue = components['schemas']['PrinterQueue'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type DeliveredJob = components['schemas']['DeliveredJob'];
export type Preview = components['schemas']['Preview'];
export type PreviewPage = components['schemas']['PreviewPage'];
export type PreviewWarning = components['schemas']['PreviewWarning'];
export type PreviewEvent = components['schemas']['PreviewEvent'];
export type PrinterPage = components['schemas']['PrinterPage'];
export type Printer = components['schemas']['Printer'];
export type Capabilities = components['schemas']['Capabilities'];
export type PrintRate = components['schemas']['PrintRate'];
export type Raster = components['schemas']['Raster'];
export type PurgedPrinter = components['schemas']['PurgedPrinter'];
export type Destination = components['schemas']['Destination'];
export type DestinationPrinter = components['schemas']['DestinationPrinter'];
export type DestinationPage = components['schemas']['DestinationPage'];
export type ComputerPage = components['schemas']['ComputerPage'];
export type EventPage = components['schemas']['EventPage'];
export type EventTypeList = components['schemas']['EventTypeList'];
export type EventTypeDescription = components['schemas']['EventTypeDescription'];
export type CreatedPrintAccessKey = components['schemas']['CreatedPrintAccessKey'];
export type PrintAccessUser = components['schemas']['PrintAccessUser'];
export type PrintAccessKeyList = components['schemas']['PrintAccessKeyList'];
export type PrintAccessKey = components['schemas']['PrintAccessKey'];
export type Enrollment = components['schemas']['Enrollment'];
export type EnrollmentCommands = components['schemas']['EnrollmentCommands'];
export type EnrollmentPage = components['schemas']['EnrollmentPage'];
export type ListedEnrollment = components['schemas']['ListedEnrollment'];
export type EnrolledAgent = components['schemas']['EnrolledAgent'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookEndpointPage = components['schemas']['WebhookEndpointPage'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookGap = components['schemas']['WebhookGap'];
export type Error = components['schemas']['Error'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbiddenOrOrganizationSuspended = components['responses']['ForbiddenOrOrganizationSuspended'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseContentTooLarge = components['responses']['ContentTooLarge'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseRateLimitedOrTestModeDailyCap = components['responses']['RateLimitedOrTestModeDailyCap'];
export type ResponseServiceUnavailableOrStorageUnavailable = components['responses']['ServiceUnavailableOrStorageUnavailable'];
export type ResponseQuotaExceeded = components['responses']['QuotaExceeded'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseIdempotencyInProgress = components['responses']['IdempotencyInProgress'];
export type ResponseFileExpired = components['responses']['FileExpired'];
export type ResponseNotCancellable = components['responses']['NotCancellable'];
export type ResponseInvalidContent = components['responses']['InvalidContent'];
export type ResponseLimitReached = components['responses']['LimitReached'];
export type ResponseDestinationInUse = components['responses']['DestinationInUse'];
export type ResponseCursorExpired = components['responses']['CursorExpired'];
export type ResponseModeMismatch = components['responses']['ModeMismatch'];
export type ResponseOrganizationSuspended = components['responses']['OrganizationSuspended'];
export type ResponseInvalidUrl = components['responses']['InvalidUrl'];
export type ResponseEndpointDisabled = components['responses']['EndpointDisabled'];
export type ParameterLimit = components['parameters']['limit'];
export type ParameterAfter = components['parameters']['after'];
export type ParameterDir = components['parameters']['dir'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRateLimitLimit = components['headers']['RateLimit-Limit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimit-Remaining'];
export type HeaderRateLimitReset = components['headers']['RateLimit-Reset'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderIdempotentReplayed = components['headers']['Idempotent-Replayed'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity of the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization": {
                     *         "id": "019a5c10-12ab-7d4e-9f30-1b2c3d4e5f05",
                     *         "name": "Corner Shop Ltd"
                     *       },
                     *       "mode": "live",
                     *       "apiKey": {
                     *         "id": "019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06",
                     *         "name": "Shop",
                     *         "prefix": "platen_live_4mGz",
                     *         "scopes": [
                     *           "read",
                     *           "print"
                     *         ],
                     *         "createdAt": "2026-02-26T16:20:05.000Z"
                     *       },
                     *       "user": null,
                     *       "installation": {
                     *         "printNode": false,
                     *         "documentPreview": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Identity"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrOrganizationSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of the current period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": {
                     *         "start": "2026-03-01T00:00:00.000Z",
                     *         "end": "2026-04-01T00:00:00.000Z"
                     *       },
                     *       "prints": {
                     *         "used": 1284,
                     *         "limit": null
                     *       },
                     *       "computers": {
                     *         "used": 3,
                     *         "limit": null
                     *       },
                     *       "plan": "self-hosted",
                     *       "testJobsToday": {
                     *         "used": 17,
                     *         "limit": 500,
                     *         "resetsAt": "2026-03-03T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listStatistics: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description The length of an interval, in UTC. */
                interval?: "hour" | "day" | "month";
                /** @description An entry for each value and interval. Cannot be combined with a filter by another value. */
                groupBy?: "printer" | "computer" | "key" | "source";
                /** @description The first interval is that of this time. Default: 400 days ago. */
                since?: string;
                /** @description Only intervals that start before this time. Default: now. */
                until?: string;
                /** @description Only jobs for this printer. Its id or its `number`. */
                printerId?: string;
                /** @description Only jobs for printers of this computer. Its id or its `number`. */
                computerId?: string;
                /** @description Only jobs that were created with this API key. */
                keyId?: string;
                /** @description Only jobs with exactly this `source`. */
                source?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of statistics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "start": "2026-03-02T00:00:00.000Z",
                     *           "value": null,
                     *           "accepted": 214,
                     *           "done": 208,
                     *           "error": 3,
                     *           "cancelled": 1,
                     *           "expired": 0,
                     *           "reasons": [
                     *             {
                     *               "state": "error",
                     *               "reason": "document-format-not-supported",
                     *               "jobs": 2
                     *             }
                     *           ],
                     *           "confirmedBy": {
                     *             "printer": 150,
                     *             "spooler": 57,
                     *             "nobody": 1
                     *           },
                     *           "secondsToPrinting": {
                     *             "p50": 1.83,
                     *             "p95": 6.17
                     *           },
                     *           "secondsToDone": {
                     *             "p50": 1.83,
                     *             "p95": 6.17
                     *           }
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["JobStatisticsPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrintJobs: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description Only jobs in this state. Can be repeated to select several states. */
                state?: components["schemas"]["JobState"][];
                /** @description Only jobs for this printer. Its id or its `number`. */
                printerId?: string;
                /** @description Only jobs for printers of this computer. Its id or its `number`. */
                computerId?: string;
                /** @description Only jobs that were sent to this destination. Its id or its `number`. */
                destinationId?: string;
                /** @description Only jobs with exactly this `source`. */
                source?: string;
                /** @description Only jobs that are `done` by this word. */
                confirmedBy?: "printer" | "spooler" | "nobody";
                /** @description Only jobs of this batch. */
                batchId?: string;
                /** @description Only jobs with this pair of metadata: `metadata[order]=4711`. Several pairs must all match. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only the job with this number. */
                number?: number;
                /** @description Searches jobs: words with which words of the title begin, a `number` such as `#1042`, an id, a `source`, a value of `metadata`, or a part of the name of the printer. Returns one page of at most 20 jobs, the newest first, and cannot be combined with other filters, `after` and `dir=asc`. Words inside titles are searched in the newest 5,000 jobs, and beginnings of titles in all. */
                q?: string;
                /** @description Only jobs that were accepted at or after this time. */
                createdAfter?: string;
                /** @description Only jobs that were accepted before this time. */
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *           "number": 1042,
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "destinationId": null,
                     *           "title": "Invoice 1042",
                     *           "contentType": "pdf_base64",
                     *           "source": "shop",
                     *           "reportedUser": null,
                     *           "qty": 1,
                     *           "options": {
                     *             "duplex": "long-edge"
                     *           },
                     *           "metadata": {
                     *             "order": "4711"
                     *           },
                     *           "batchId": null,
                     *           "reprintOf": null,
                     *           "retain": true,
                     *           "expireAfter": 86400,
                     *           "expiresAt": "2026-03-03T09:30:00.125Z",
                     *           "notBefore": null,
                     *           "fileSize": 15,
                     *           "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *           "mode": "live",
                     *           "state": "queued",
                     *           "stateMessage": null,
                     *           "stateReasons": [],
                     *           "confirmedBy": null,
                     *           "createdAt": "2026-03-02T09:30:00.125Z",
                     *           "sentAt": null,
                     *           "receivedAt": null,
                     *           "printingAt": null,
                     *           "finishedAt": null
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJobPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPrintJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key that makes the request safe to repeat. The same key with the same body returns the first job and creates nothing. A key is known for 24 hours, by organization and mode. A new intent, such as a reprint, needs a new key. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrintJobRequest"];
                "multipart/form-data": components["schemas"]["PrintJobForm"];
            };
        };
        responses: {
            /** @description The job, in `queued`. For a replay: the present state of the first job. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *       "number": 1042,
                     *       "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "destinationId": null,
                     *       "title": "Invoice 1042",
                     *       "contentType": "pdf_base64",
                     *       "source": "shop",
                     *       "reportedUser": null,
                     *       "qty": 1,
                     *       "options": {
                     *         "duplex": "long-edge"
                     *       },
                     *       "metadata": {
                     *         "order": "4711"
                     *       },
                     *       "batchId": null,
                     *       "reprintOf": null,
                     *       "retain": true,
                     *       "expireAfter": 86400,
                     *       "expiresAt": "2026-03-03T09:30:00.125Z",
                     *       "notBefore": null,
                     *       "fileSize": 15,
                     *       "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *       "mode": "live",
                     *       "state": "queued",
                     *       "stateMessage": null,
                     *       "stateReasons": [],
                     *       "confirmedBy": null,
                     *       "createdAt": "2026-03-02T09:30:00.125Z",
                     *       "sentAt": null,
                     *       "receivedAt": null,
                     *       "printingAt": null,
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            410: components["responses"]["FileExpired"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_content`: The document does not match `contentType`: it is not standard base64 (line breaks are permitted), it is not a PDF, or it is not an image.
             *
             *     `invalid_content_url`: The URL of the document is not permitted because of its scheme, its port, its length, its user or password, which belong in `authentication`, its address, which is not public, or its host, which does not resolve.
             *
             *     `printer_disabled`: The printer is disabled.
             *
             *     `destination_disabled`: The destination is disabled.
             *
             *     `mode_mismatch`: The key has the wrong mode.
             *
             *     `idempotency_key_reused`: This `Idempotency-Key` was used with another body.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitedOrTestModeDailyCap"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrStorageUnavailable"];
        };
    };
    validatePrintJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrintJobValidationRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refusal": null,
                     *       "warnings": [
                     *         {
                     *           "code": "computer-offline",
                     *           "message": "Computer Back office has been offline for 12 min. The job expires at 2026-03-03 09:30 UTC."
                     *         }
                     *       ],
                     *       "options": {
                     *         "duplex": "long-edge"
                     *       },
                     *       "jobsBefore": 0,
                     *       "destinationId": null,
                     *       "printer": {
                     *         "id": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *         "number": 12,
                     *         "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *         "name": "Office laser",
                     *         "osName": "office-laser",
                     *         "description": "A4 mono laser printer",
                     *         "displayName": "Back office",
                     *         "remarks": "Refill tray 2 on Mondays",
                     *         "enabled": true,
                     *         "shared": false,
                     *         "isDefault": true,
                     *         "state": "online",
                     *         "stateDetail": "",
                     *         "stateReasons": [],
                     *         "defaultOptions": {
                     *           "paper": "A4"
                     *         },
                     *         "customPapers": [
                     *           {
                     *             "name": "Delivery note",
                     *             "width": 2100,
                     *             "height": 1480
                     *           }
                     *         ],
                     *         "defaultExpireAfter": null,
                     *         "createdAt": "2026-02-27T08:00:00.000Z",
                     *         "updatedAt": "2026-03-02T08:15:42.310Z"
                     *       },
                     *       "computer": {
                     *         "id": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *         "number": 7,
                     *         "name": "Back office",
                     *         "hostname": "office-pc-1",
                     *         "os": "linux",
                     *         "osVersion": "12",
                     *         "arch": "x64",
                     *         "agentVersion": "1.0.0",
                     *         "agentUpdate": {
                     *           "automatic": false,
                     *           "failedVersion": null,
                     *           "failure": null
                     *         },
                     *         "spoolerProblem": null,
                     *         "state": "online",
                     *         "pausedAt": null,
                     *         "unauthorizedAt": null,
                     *         "mode": "live",
                     *         "lastSeenAt": "2026-03-02T09:29:51.004Z",
                     *         "createdAt": "2026-02-27T07:59:12.480Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJobValidation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPrintJobBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key that makes the request safe to repeat. The same key with the same body returns the first job and creates nothing. A key is known for 24 hours, by organization and mode. A new intent, such as a reprint, needs a new key. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrintJobBatchRequest"];
            };
        };
        responses: {
            /** @description The batch. For a replay: the present state of its jobs. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6b10",
                     *       "jobs": [
                     *         {
                     *           "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *           "number": 1042,
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "destinationId": null,
                     *           "title": "Invoice 1042",
                     *           "contentType": "pdf_base64",
                     *           "source": "shop",
                     *           "reportedUser": null,
                     *           "qty": 1,
                     *           "options": {
                     *             "duplex": "long-edge"
                     *           },
                     *           "metadata": {
                     *             "order": "4711"
                     *           },
                     *           "batchId": null,
                     *           "reprintOf": null,
                     *           "retain": true,
                     *           "expireAfter": 86400,
                     *           "expiresAt": "2026-03-03T09:30:00.125Z",
                     *           "notBefore": null,
                     *           "fileSize": 15,
                     *           "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *           "mode": "live",
                     *           "state": "queued",
                     *           "stateMessage": null,
                     *           "stateReasons": [],
                     *           "confirmedBy": null,
                     *           "createdAt": "2026-03-02T09:30:00.125Z",
                     *           "sentAt": null,
                     *           "receivedAt": null,
                     *           "printingAt": null,
                     *           "finishedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJobBatch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            410: components["responses"]["FileExpired"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_content`: The document does not match `contentType`: it is not standard base64 (line breaks are permitted), it is not a PDF, or it is not an image.
             *
             *     `invalid_content_url`: The URL of the document is not permitted because of its scheme, its port, its length, its user or password, which belong in `authentication`, its address, which is not public, or its host, which does not resolve.
             *
             *     `printer_disabled`: The printer is disabled.
             *
             *     `destination_disabled`: The destination is disabled.
             *
             *     `mode_mismatch`: The key has the wrong mode.
             *
             *     `idempotency_key_reused`: This `Idempotency-Key` was used with another body.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitedOrTestModeDailyCap"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrStorageUnavailable"];
        };
    };
    cancelPrintJobBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": 7,
                     *       "notCancelled": 3
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledBatch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPrintJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *       "number": 1042,
                     *       "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "destinationId": null,
                     *       "title": "Invoice 1042",
                     *       "contentType": "pdf_base64",
                     *       "source": "shop",
                     *       "reportedUser": null,
                     *       "qty": 1,
                     *       "options": {
                     *         "duplex": "long-edge"
                     *       },
                     *       "metadata": {
                     *         "order": "4711"
                     *       },
                     *       "batchId": null,
                     *       "reprintOf": null,
                     *       "retain": true,
                     *       "expireAfter": 86400,
                     *       "expiresAt": "2026-03-03T09:30:00.125Z",
                     *       "notBefore": null,
                     *       "fileSize": 15,
                     *       "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *       "mode": "live",
                     *       "state": "queued",
                     *       "stateMessage": null,
                     *       "stateReasons": [],
                     *       "confirmedBy": null,
                     *       "createdAt": "2026-03-02T09:30:00.125Z",
                     *       "sentAt": null,
                     *       "receivedAt": null,
                     *       "printingAt": null,
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrintJobEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All events of the job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *           "state": "queued",
                     *           "message": null,
                     *           "actor": "api",
                     *           "createdAt": "2026-03-02T09:30:00.125Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJobEventList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainPrintJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrintJobExplanation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPrintJobDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["FileExpired"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrStorageUnavailable"];
        };
    };
    listPrintJobDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
            };
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09",
                     *           "webhookId": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *           "eventId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *           "eventType": "printjob.done",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "nextAttemptAt": "2026-03-02T09:30:12.310Z",
                     *           "lastStatusCode": 503,
                     *           "lastError": "status",
                     *           "createdAt": "2026-03-02T09:30:07.010Z",
                     *           "deliveredAt": null,
                     *           "job": {
                     *             "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *             "title": "Invoice 1042",
                     *             "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                     *           }
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelPrintJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, in `cancelled`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *       "number": 1042,
                     *       "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "destinationId": null,
                     *       "title": "Invoice 1042",
                     *       "contentType": "pdf_base64",
                     *       "source": "shop",
                     *       "reportedUser": null,
                     *       "qty": 1,
                     *       "options": {
                     *         "duplex": "long-edge"
                     *       },
                     *       "metadata": {
                     *         "order": "4711"
                     *       },
                     *       "batchId": null,
                     *       "reprintOf": null,
                     *       "retain": true,
                     *       "expireAfter": 86400,
                     *       "expiresAt": "2026-03-03T09:30:00.125Z",
                     *       "notBefore": null,
                     *       "fileSize": 15,
                     *       "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *       "mode": "live",
                     *       "state": "queued",
                     *       "stateMessage": null,
                     *       "stateReasons": [],
                     *       "confirmedBy": null,
                     *       "createdAt": "2026-03-02T09:30:00.125Z",
                     *       "sentAt": null,
                     *       "receivedAt": null,
                     *       "printingAt": null,
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NotCancellable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releasePrintJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print job, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. A held one is in `queued`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *       "number": 1042,
                     *       "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "destinationId": null,
                     *       "title": "Invoice 1042",
                     *       "contentType": "pdf_base64",
                     *       "source": "shop",
                     *       "reportedUser": null,
                     *       "qty": 1,
                     *       "options": {
                     *         "duplex": "long-edge"
                     *       },
                     *       "metadata": {
                     *         "order": "4711"
                     *       },
                     *       "batchId": null,
                     *       "reprintOf": null,
                     *       "retain": true,
                     *       "expireAfter": 86400,
                     *       "expiresAt": "2026-03-03T09:30:00.125Z",
                     *       "notBefore": null,
                     *       "fileSize": 15,
                     *       "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *       "mode": "live",
                     *       "state": "queued",
                     *       "stateMessage": null,
                     *       "stateReasons": [],
                     *       "confirmedBy": null,
                     *       "createdAt": "2026-03-02T09:30:00.125Z",
                     *       "sentAt": null,
                     *       "receivedAt": null,
                     *       "printingAt": null,
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contentType": "raw_base64",
                 *       "content": "XlhBXkZPNTAsNTBeQTBOLDUwLDUwXkZEUGxhdGVuXkZTXlha",
                 *       "language": "zpl",
                 *       "dpi": 203,
                 *       "widthMm": 101.6,
                 *       "heightMm": 152.4
                 *     }
                 */
                "application/json": components["schemas"]["PreviewRequest"];
                "multipart/form-data": components["schemas"]["PreviewForm"];
            };
        };
        responses: {
            /** @description The pictures, or the first one as SVG. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "language": "zpl",
                     *       "pages": [
                     *         {
                     *           "svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" …></svg>",
                     *           "widthMm": 101.5,
                     *           "heightMm": 152.38,
                     *           "warnings": [
                     *             {
                     *               "offset": 120,
                     *               "message": "Unknown command \"^QQ\"."
                     *             }
                     *           ],
                     *           "events": [
                     *             {
                     *               "kind": "cut",
                     *               "atMm": 80
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidContent"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrinters: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description Only the printer with this number. */
                number?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of printers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "number": 12,
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "name": "Office laser",
                     *           "osName": "office-laser",
                     *           "description": "A4 mono laser printer",
                     *           "displayName": "Back office",
                     *           "remarks": "Refill tray 2 on Mondays",
                     *           "enabled": true,
                     *           "shared": false,
                     *           "isDefault": true,
                     *           "state": "online",
                     *           "stateDetail": "",
                     *           "stateReasons": [],
                     *           "capabilities": {
                     *             "papers": {
                     *               "A4": [
                     *                 2100,
                     *                 2970
                     *               ],
                     *               "A5": [
                     *                 1480,
                     *                 2100
                     *               ]
                     *             },
                     *             "bins": [
                     *               "auto",
                     *               "tray-2"
                     *             ],
                     *             "dpis": [
                     *               "600x600"
                     *             ],
                     *             "medias": [
                     *               "stationery"
                     *             ],
                     *             "extent": [
                     *               [
                     *                 760,
                     *                 1270
                     *               ],
                     *               [
                     *                 2160,
                     *                 3560
                     *               ]
                     *             ],
                     *             "printrate": {
                     *               "rate": 30,
                     *               "unit": "ppm"
                     *             },
                     *             "duplex": true,
                     *             "color": false,
                     *             "collate": true,
                     *             "copies": 99,
                     *             "nup": [
                     *               1,
                     *               2,
                     *               4
                     *             ],
                     *             "supports_custom_paper_size": true,
                     *             "rasterizes": false,
                     *             "formats": [
                     *               "pdf",
                     *               "raw"
                     *             ],
                     *             "raster": {
                     *               "rawLanguage": "zpl",
                     *               "dpi": 203,
                     *               "width": 812
                     *             },
                     *             "language": "zpl"
                     *           },
                     *           "defaultOptions": {
                     *             "paper": "A4"
                     *           },
                     *           "customPapers": [
                     *             {
                     *               "name": "Delivery note",
                     *               "width": 2100,
                     *               "height": 1480
                     *             }
                     *           ],
                     *           "defaultExpireAfter": null,
                     *           "createdAt": "2026-02-27T08:00:00.000Z",
                     *           "updatedAt": "2026-03-02T08:15:42.310Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["PrinterPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPrinter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the printer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The printer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "number": 12,
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "name": "Office laser",
                     *       "osName": "office-laser",
                     *       "description": "A4 mono laser printer",
                     *       "displayName": "Back office",
                     *       "remarks": "Refill tray 2 on Mondays",
                     *       "enabled": true,
                     *       "shared": false,
                     *       "isDefault": true,
                     *       "state": "online",
                     *       "stateDetail": "",
                     *       "stateReasons": [],
                     *       "capabilities": {
                     *         "papers": {
                     *           "A4": [
                     *             2100,
                     *             2970
                     *           ],
                     *           "A5": [
                     *             1480,
                     *             2100
                     *           ]
                     *         },
                     *         "bins": [
                     *           "auto",
                     *           "tray-2"
                     *         ],
                     *         "dpis": [
                     *           "600x600"
                     *         ],
                     *         "medias": [
                     *           "stationery"
                     *         ],
                     *         "extent": [
                     *           [
                     *             760,
                     *             1270
                     *           ],
                     *           [
                     *             2160,
                     *             3560
                     *           ]
                     *         ],
                     *         "printrate": {
                     *           "rate": 30,
                     *           "unit": "ppm"
                     *         },
                     *         "duplex": true,
                     *         "color": false,
                     *         "collate": true,
                     *         "copies": 99,
                     *         "nup": [
                     *           1,
                     *           2,
                     *           4
                     *         ],
                     *         "supports_custom_paper_size": true,
                     *         "rasterizes": false,
                     *         "formats": [
                     *           "pdf",
                     *           "raw"
                     *         ],
                     *         "raster": {
                     *           "rawLanguage": "zpl",
                     *           "dpi": 203,
                     *           "width": 812
                     *         },
                     *         "language": "zpl"
                     *       },
                     *       "defaultOptions": {
                     *         "paper": "A4"
                     *       },
                     *       "customPapers": [
                     *         {
                     *           "name": "Delivery note",
                     *           "width": 2100,
                     *           "height": 1480
                     *         }
                     *       ],
                     *       "defaultExpireAfter": null,
                     *       "createdAt": "2026-02-27T08:00:00.000Z",
                     *       "updatedAt": "2026-03-02T08:15:42.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Printer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePrinter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the printer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Back office",
                 *       "shared": true,
                 *       "defaultOptions": {
                 *         "paper": "A4"
                 *       },
                 *       "customPapers": [
                 *         {
                 *           "name": "Delivery note",
                 *           "width": 2100,
                 *           "height": 1480
                 *         }
                 *       ],
                 *       "defaultExpireAfter": 3600
                 *     }
                 */
                "application/json": components["schemas"]["PrinterChanges"];
            };
        };
        responses: {
            /** @description The changed printer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "number": 12,
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "name": "Office laser",
                     *       "osName": "office-laser",
                     *       "description": "A4 mono laser printer",
                     *       "displayName": "Back office",
                     *       "remarks": "Refill tray 2 on Mondays",
                     *       "enabled": true,
                     *       "shared": false,
                     *       "isDefault": true,
                     *       "state": "online",
                     *       "stateDetail": "",
                     *       "stateReasons": [],
                     *       "capabilities": {
                     *         "papers": {
                     *           "A4": [
                     *             2100,
                     *             2970
                     *           ],
                     *           "A5": [
                     *             1480,
                     *             2100
                     *           ]
                     *         },
                     *         "bins": [
                     *           "auto",
                     *           "tray-2"
                     *         ],
                     *         "dpis": [
                     *           "600x600"
                     *         ],
                     *         "medias": [
                     *           "stationery"
                     *         ],
                     *         "extent": [
                     *           [
                     *             760,
                     *             1270
                     *           ],
                     *           [
                     *             2160,
                     *             3560
                     *           ]
                     *         ],
                     *         "printrate": {
                     *           "rate": 30,
                     *           "unit": "ppm"
                     *         },
                     *         "duplex": true,
                     *         "color": false,
                     *         "collate": true,
                     *         "copies": 99,
                     *         "nup": [
                     *           1,
                     *           2,
                     *           4
                     *         ],
                     *         "supports_custom_paper_size": true,
                     *         "rasterizes": false,
                     *         "formats": [
                     *           "pdf",
                     *           "raw"
                     *         ],
                     *         "raster": {
                     *           "rawLanguage": "zpl",
                     *           "dpi": 203,
                     *           "width": 812
                     *         },
                     *         "language": "zpl"
                     *       },
                     *       "defaultOptions": {
                     *         "paper": "A4"
                     *       },
                     *       "customPapers": [
                     *         {
                     *           "name": "Delivery note",
                     *           "width": 2100,
                     *           "height": 1480
                     *         }
                     *       ],
                     *       "defaultExpireAfter": null,
                     *       "createdAt": "2026-02-27T08:00:00.000Z",
                     *       "updatedAt": "2026-03-02T08:15:42.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Printer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrinterPrintJobs: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
            };
            header?: never;
            path: {
                /** @description The id of the printer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *           "number": 1042,
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "destinationId": null,
                     *           "title": "Invoice 1042",
                     *           "contentType": "pdf_base64",
                     *           "source": "shop",
                     *           "reportedUser": null,
                     *           "qty": 1,
                     *           "options": {
                     *             "duplex": "long-edge"
                     *           },
                     *           "metadata": {
                     *             "order": "4711"
                     *           },
                     *           "batchId": null,
                     *           "reprintOf": null,
                     *           "retain": true,
                     *           "expireAfter": 86400,
                     *           "expiresAt": "2026-03-03T09:30:00.125Z",
                     *           "notBefore": null,
                     *           "fileSize": 15,
                     *           "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *           "mode": "live",
                     *           "state": "queued",
                     *           "stateMessage": null,
                     *           "stateReasons": [],
                     *           "confirmedBy": null,
                     *           "createdAt": "2026-03-02T09:30:00.125Z",
                     *           "sentAt": null,
                     *           "receivedAt": null,
                     *           "printingAt": null,
                     *           "finishedAt": null
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["PrintJobPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    purgePrinter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the printer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "includePrinting": false
                 *     }
                 */
                "application/json": components["schemas"]["PrinterPurge"];
            };
        };
        responses: {
            /** @description The numbers of the ended jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": 7,
                     *       "ended": 5
                     *     }
                     */
                    "application/json": components["schemas"]["PurgedPrinter"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDestinations: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description Only the destination with this number. */
                number?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of destinations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09",
                     *           "number": 3,
                     *           "name": "kitchen",
                     *           "printers": [
                     *             {
                     *               "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *               "name": "Kitchen printer",
                     *               "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *               "reason": null,
                     *               "detail": null,
                     *               "since": null,
                     *               "jobId": null
                     *             }
                     *           ],
                     *           "policy": "first",
                     *           "standbyAfter": 30,
                     *           "enabled": true,
                     *           "expireAfter": 3600,
                     *           "waitingJobs": 0,
                     *           "nextPrinterId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "createdAt": "2026-03-02T09:00:00.000Z",
                     *           "updatedAt": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["DestinationPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDestination: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "kitchen",
                 *       "printers": [
                 *         "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                 *       ],
                 *       "policy": "first",
                 *       "standbyAfter": 30,
                 *       "enabled": true,
                 *       "expireAfter": 3600
                 *     }
                 */
                "application/json": components["schemas"]["DestinationRequest"];
            };
        };
        responses: {
            /** @description The destination. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09",
                     *       "number": 3,
                     *       "name": "kitchen",
                     *       "printers": [
                     *         {
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "name": "Kitchen printer",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "reason": null,
                     *           "detail": null,
                     *           "since": null,
                     *           "jobId": null
                     *         }
                     *       ],
                     *       "policy": "first",
                     *       "standbyAfter": 30,
                     *       "enabled": true,
                     *       "expireAfter": 3600,
                     *       "waitingJobs": 0,
                     *       "nextPrinterId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "updatedAt": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Destination"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the destination, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09",
                     *       "number": 3,
                     *       "name": "kitchen",
                     *       "printers": [
                     *         {
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "name": "Kitchen printer",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "reason": null,
                     *           "detail": null,
                     *           "since": null,
                     *           "jobId": null
                     *         }
                     *       ],
                     *       "policy": "first",
                     *       "standbyAfter": 30,
                     *       "enabled": true,
                     *       "expireAfter": 3600,
                     *       "waitingJobs": 0,
                     *       "nextPrinterId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "updatedAt": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Destination"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDestination: {
        parameters: {
            query?: {
                /** @description `end` ends the jobs that wait. */
                waitingJobs?: "end";
            };
            header?: never;
            path: {
                /** @description The id of the destination, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DestinationInUse"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the destination, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "kitchen",
                 *       "printers": [
                 *         "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                 *       ],
                 *       "policy": "any",
                 *       "standbyAfter": 30,
                 *       "enabled": true,
                 *       "expireAfter": 3600
                 *     }
                 */
                "application/json": components["schemas"]["DestinationChanges"];
            };
        };
        responses: {
            /** @description The changed destination. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09",
                     *       "number": 3,
                     *       "name": "kitchen",
                     *       "printers": [
                     *         {
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "name": "Kitchen printer",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "reason": null,
                     *           "detail": null,
                     *           "since": null,
                     *           "jobId": null
                     *         }
                     *       ],
                     *       "policy": "first",
                     *       "standbyAfter": 30,
                     *       "enabled": true,
                     *       "expireAfter": 3600,
                     *       "waitingJobs": 0,
                     *       "nextPrinterId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "updatedAt": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Destination"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listComputers: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description Only the computer with this number. */
                number?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of computers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "number": 7,
                     *           "name": "Back office",
                     *           "hostname": "office-pc-1",
                     *           "os": "linux",
                     *           "osVersion": "12",
                     *           "arch": "x64",
                     *           "agentVersion": "1.0.0",
                     *           "agentUpdate": {
                     *             "automatic": false,
                     *             "failedVersion": null,
                     *             "failure": null
                     *           },
                     *           "spoolerProblem": null,
                     *           "state": "online",
                     *           "pausedAt": null,
                     *           "unauthorizedAt": null,
                     *           "mode": "live",
                     *           "lastSeenAt": "2026-03-02T09:29:51.004Z",
                     *           "createdAt": "2026-02-27T07:59:12.480Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["ComputerPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getComputer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the computer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The computer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "number": 7,
                     *       "name": "Back office",
                     *       "hostname": "office-pc-1",
                     *       "os": "linux",
                     *       "osVersion": "12",
                     *       "arch": "x64",
                     *       "agentVersion": "1.0.0",
                     *       "agentUpdate": {
                     *         "automatic": false,
                     *         "failedVersion": null,
                     *         "failure": null
                     *       },
                     *       "spoolerProblem": null,
                     *       "state": "online",
                     *       "pausedAt": null,
                     *       "unauthorizedAt": null,
                     *       "mode": "live",
                     *       "lastSeenAt": "2026-03-02T09:29:51.004Z",
                     *       "createdAt": "2026-02-27T07:59:12.480Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Computer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteComputer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the computer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The computer is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listComputerPrinters: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
            };
            header?: never;
            path: {
                /** @description The id of the computer, or its `number`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of printers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "number": 12,
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "name": "Office laser",
                     *           "osName": "office-laser",
                     *           "description": "A4 mono laser printer",
                     *           "displayName": "Back office",
                     *           "remarks": "Refill tray 2 on Mondays",
                     *           "enabled": true,
                     *           "shared": false,
                     *           "isDefault": true,
                     *           "state": "online",
                     *           "stateDetail": "",
                     *           "stateReasons": [],
                     *           "capabilities": {
                     *             "papers": {
                     *               "A4": [
                     *                 2100,
                     *                 2970
                     *               ],
                     *               "A5": [
                     *                 1480,
                     *                 2100
                     *               ]
                     *             },
                     *             "bins": [
                     *               "auto",
                     *               "tray-2"
                     *             ],
                     *             "dpis": [
                     *               "600x600"
                     *             ],
                     *             "medias": [
                     *               "stationery"
                     *             ],
                     *             "extent": [
                     *               [
                     *                 760,
                     *                 1270
                     *               ],
                     *               [
                     *                 2160,
                     *                 3560
                     *               ]
                     *             ],
                     *             "printrate": {
                     *               "rate": 30,
                     *               "unit": "ppm"
                     *             },
                     *             "duplex": true,
                     *             "color": false,
                     *             "collate": true,
                     *             "copies": 99,
                     *             "nup": [
                     *               1,
                     *               2,
                     *               4
                     *             ],
                     *             "supports_custom_paper_size": true,
                     *             "rasterizes": false,
                     *             "formats": [
                     *               "pdf",
                     *               "raw"
                     *             ],
                     *             "raster": {
                     *               "rawLanguage": "zpl",
                     *               "dpi": 203,
                     *               "width": 812
                     *             },
                     *             "language": "zpl"
                     *           },
                     *           "defaultOptions": {
                     *             "paper": "A4"
                     *           },
                     *           "customPapers": [
                     *             {
                     *               "name": "Delivery note",
                     *               "width": 2100,
                     *               "height": 1480
                     *             }
                     *           ],
                     *           "defaultExpireAfter": null,
                     *           "createdAt": "2026-02-27T08:00:00.000Z",
                     *           "updatedAt": "2026-03-02T08:15:42.310Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["PrinterPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: "asc" | "desc";
                /** @description Only events of this type. `printjob.*` selects all types of print jobs. Can be repeated to select several types. */
                type?: ("printjob.queued" | "printjob.sent" | "printjob.received" | "printjob.printing" | "printjob.done" | "printjob.error" | "printjob.cancelled" | "printjob.expired" | "computer.online" | "computer.offline" | "printer.added" | "printer.removed" | "printer.online" | "printer.offline" | "printer.updated" | "printjob.*" | "computer.*" | "printer.*")[];
                /** @description Only events of this print job, computer or printer. */
                resourceId?: string;
                /** @description The number of seconds to wait for an event before the response is an empty page. Implies `dir=asc`; `dir=desc` is a 400. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *           "type": "printjob.done",
                     *           "timestamp": "2026-03-02T09:30:06.902Z",
                     *           "mode": "live",
                     *           "sequence": 5,
                     *           "data": {
                     *             "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *             "number": 1042,
                     *             "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *             "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *             "destinationId": null,
                     *             "title": "Invoice 1042",
                     *             "contentType": "pdf_base64",
                     *             "source": "shop",
                     *             "reportedUser": null,
                     *             "qty": 1,
                     *             "options": {
                     *               "duplex": "long-edge"
                     *             },
                     *             "metadata": {
                     *               "order": "4711"
                     *             },
                     *             "batchId": null,
                     *             "reprintOf": null,
                     *             "retain": true,
                     *             "expireAfter": 86400,
                     *             "expiresAt": "2026-03-03T09:30:00.125Z",
                     *             "notBefore": null,
                     *             "fileSize": 15,
                     *             "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *             "mode": "live",
                     *             "state": "done",
                     *             "stateMessage": null,
                     *             "stateReasons": [],
                     *             "confirmedBy": null,
                     *             "createdAt": "2026-03-02T09:30:00.125Z",
                     *             "sentAt": "2026-03-02T09:30:00.180Z",
                     *             "receivedAt": "2026-03-02T09:30:00.342Z",
                     *             "printingAt": "2026-03-02T09:30:00.518Z",
                     *             "finishedAt": "2026-03-02T09:30:06.902Z"
                     *           }
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *       "type": "printjob.done",
                     *       "timestamp": "2026-03-02T09:30:06.902Z",
                     *       "mode": "live",
                     *       "sequence": 5,
                     *       "data": {
                     *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *         "number": 1042,
                     *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *         "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *         "destinationId": null,
                     *         "title": "Invoice 1042",
                     *         "contentType": "pdf_base64",
                     *         "source": "shop",
                     *         "reportedUser": null,
                     *         "qty": 1,
                     *         "options": {
                     *           "duplex": "long-edge"
                     *         },
                     *         "metadata": {
                     *           "order": "4711"
                     *         },
                     *         "batchId": null,
                     *         "reprintOf": null,
                     *         "retain": true,
                     *         "expireAfter": 86400,
                     *         "expiresAt": "2026-03-03T09:30:00.125Z",
                     *         "notBefore": null,
                     *         "fileSize": 15,
                     *         "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *         "mode": "live",
                     *         "state": "done",
                     *         "stateMessage": null,
                     *         "stateReasons": [],
                     *         "confirmedBy": null,
                     *         "createdAt": "2026-03-02T09:30:00.125Z",
                     *         "sentAt": "2026-03-02T09:30:00.180Z",
                     *         "receivedAt": "2026-03-02T09:30:00.342Z",
                     *         "printingAt": "2026-03-02T09:30:00.518Z",
                     *         "finishedAt": "2026-03-02T09:30:06.902Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All types of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "printjob.done",
                     *           "description": "The spooler has finished a print job.",
                     *           "schema": {
                     *             "type": "object",
                     *             "required": [
                     *               "id",
                     *               "type",
                     *               "timestamp",
                     *               "mode",
                     *               "sequence",
                     *               "data"
                     *             ]
                     *           },
                     *           "example": {
                     *             "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *             "type": "printjob.done",
                     *             "timestamp": "2026-03-02T09:30:06.902Z",
                     *             "mode": "live",
                     *             "sequence": 5,
                     *             "data": {
                     *               "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *               "number": 1042,
                     *               "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *               "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *               "destinationId": null,
                     *               "title": "Invoice 1042",
                     *               "contentType": "pdf_base64",
                     *               "source": "shop",
                     *               "reportedUser": null,
                     *               "qty": 1,
                     *               "options": {
                     *                 "duplex": "long-edge"
                     *               },
                     *               "metadata": {
                     *                 "order": "4711"
                     *               },
                     *               "batchId": null,
                     *               "reprintOf": null,
                     *               "retain": true,
                     *               "expireAfter": 86400,
                     *               "expiresAt": "2026-03-03T09:30:00.125Z",
                     *               "notBefore": null,
                     *               "fileSize": 15,
                     *               "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *               "mode": "live",
                     *               "state": "done",
                     *               "stateMessage": null,
                     *               "stateReasons": [],
                     *               "confirmedBy": null,
                     *               "createdAt": "2026-03-02T09:30:00.125Z",
                     *               "sentAt": "2026-03-02T09:30:00.180Z",
                     *               "receivedAt": "2026-03-02T09:30:00.342Z",
                     *               "printingAt": "2026-03-02T09:30:00.518Z",
                     *               "finishedAt": "2026-03-02T09:30:06.902Z"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrintAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The print accesses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04",
                     *           "name": "Anna's laptop",
                     *           "mode": "live",
                     *           "printerIds": null,
                     *           "user": {
                     *             "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *             "email": "anna@example.com"
                     *           },
                     *           "lastFour": "q7xm",
                     *           "createdAt": "2026-03-02T09:30:00.000Z",
                     *           "lastUsedAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PrintAccessKeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPrintAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Anna's laptop",
                 *       "printerIds": [
                 *         "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                 *       ],
                 *       "userId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07"
                 *     }
                 */
                "application/json": components["schemas"]["PrintAccessRequest"];
            };
        };
        responses: {
            /** @description The print access, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04",
                     *       "name": "Anna's laptop",
                     *       "mode": "live",
                     *       "printerIds": null,
                     *       "user": {
                     *         "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *         "email": "anna@example.com"
                     *       },
                     *       "lastFour": "q7xm",
                     *       "createdAt": "2026-03-02T09:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "secret": "k4xq2mzr7tbn5wyd3hfa6gcpq7"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPrintAccessKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokePrintAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the print access. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked print access. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04",
                     *       "name": "Anna's laptop",
                     *       "mode": "live",
                     *       "printerIds": null,
                     *       "user": {
                     *         "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *         "email": "anna@example.com"
                     *       },
                     *       "lastFour": "q7xm",
                     *       "createdAt": "2026-03-02T09:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrintAccessKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of enrolment tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04",
                     *           "expiresAt": "2026-03-02T09:45:00.000Z",
                     *           "maxUses": 1,
                     *           "uses": 1,
                     *           "createdAt": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["EnrollmentPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "maxUses": 1,
                 *       "expiresInSeconds": 900
                 *     }
                 */
                "application/json": components["schemas"]["EnrollmentRequest"];
            };
        };
        responses: {
            /** @description The token, which is shown only once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04",
                     *       "token": "platen_enroll_4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3",
                     *       "expiresAt": "2026-03-02T09:45:00.000Z",
                     *       "maxUses": 1,
                     *       "commands": {
                     *         "linux": "curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers",
                     *         "macos": "curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers",
                     *         "windows": "& ([scriptblock]::Create((irm https://print.example.com/agents/install.ps1))) -Server https://print.example.com -AllowNetworkPrinters",
                     *         "docker": null,
                     *         "thisComputer": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModeMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the enrolment token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enrollAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random secret of this enrolment. A repetition with the same token and key within 60 s of the first request gets the same computer with a new credential, and does not use the token again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Back office",
                 *       "hostname": "office-pc-1",
                 *       "os": "linux",
                 *       "osVersion": "12",
                 *       "arch": "x64",
                 *       "agentVersion": "1.0.0"
                 *     }
                 */
                "application/json": components["schemas"]["AgentEnrollment"];
            };
        };
        responses: {
            /** @description The computer is enrolled. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *       "credential": "platen_agent_7sKd8hNf34mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3aQkQ7vRg",
                     *       "agentUrl": "https://agents.print.example"
                     *     }
                     */
                    "application/json": components["schemas"]["EnrolledAgent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["OrganizationSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *           "url": "https://erp.example.com/hooks/platen",
                     *           "events": [
                     *             "printjob.done",
                     *             "printjob.error"
                     *           ],
                     *           "description": "Orders in the ERP",
                     *           "enabled": true,
                     *           "disabledReason": null,
                     *           "failingSince": null,
                     *           "lastStatusCode": null,
                     *           "lastError": null,
                     *           "nextAttemptAt": null,
                     *           "mode": "live",
                     *           "createdAt": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://erp.example.com/hooks/platen",
                 *       "events": [
                 *         "printjob.done",
                 *         "printjob.error"
                 *       ],
                 *       "description": "Orders in the ERP"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The endpoint with its secret, which is shown only once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "url": "https://erp.example.com/hooks/platen",
                     *       "events": [
                     *         "printjob.done",
                     *         "printjob.error"
                     *       ],
                     *       "description": "Orders in the ERP",
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "failingSince": null,
                     *       "lastStatusCode": null,
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "mode": "live",
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidUrl"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "url": "https://erp.example.com/hooks/platen",
                     *       "events": [
                     *         "printjob.done",
                     *         "printjob.error"
                     *       ],
                     *       "description": "Orders in the ERP",
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "failingSince": null,
                     *       "lastStatusCode": null,
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "mode": "live",
                     *       "createdAt": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "printjob.done"
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "url": "https://erp.example.com/hooks/platen",
                     *       "events": [
                     *         "printjob.done",
                     *         "printjob.error"
                     *       ],
                     *       "description": "Orders in the ERP",
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "failingSince": null,
                     *       "lastStatusCode": null,
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "mode": "live",
                     *       "createdAt": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidUrl"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "graceSeconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description The endpoint with its new secret, which is shown only once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "url": "https://erp.example.com/hooks/platen",
                     *       "events": [
                     *         "printjob.done",
                     *         "printjob.error"
                     *       ],
                     *       "description": "Orders in the ERP",
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "failingSince": null,
                     *       "lastStatusCode": null,
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "mode": "live",
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             *
             *     `recent_sign_in_required`: The operation needs a sign-in within the last hour. Dashboard sessions only.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "printjob.done"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            /** @description The delivery of the example. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09",
                     *       "webhookId": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "eventId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *       "eventType": "printjob.done",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "nextAttemptAt": "2026-03-02T09:30:12.310Z",
                     *       "lastStatusCode": 503,
                     *       "lastError": "status",
                     *       "createdAt": "2026-03-02T09:30:07.010Z",
                     *       "deliveredAt": null,
                     *       "job": {
                     *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *         "title": "Invoice 1042",
                     *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page. */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of an earlier page, whose next items are returned. */
                after?: components["parameters"]["after"];
                /** @description The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling. */
                dir?: components["parameters"]["dir"];
                /** @description Only deliveries in this status. Can be repeated to select several statuses. */
                status?: components["schemas"]["DeliveryStatus"][];
                /** @description Only deliveries of events of this type. Can be repeated to select several types. */
                type?: components["schemas"]["EventType"][];
            };
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09",
                     *           "webhookId": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *           "eventId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *           "eventType": "printjob.done",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "nextAttemptAt": "2026-03-02T09:30:12.310Z",
                     *           "lastStatusCode": 503,
                     *           "lastError": "status",
                     *           "createdAt": "2026-03-02T09:30:07.010Z",
                     *           "deliveredAt": null,
                     *           "job": {
                     *             "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *             "title": "Invoice 1042",
                     *             "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                     *           }
                     *         }
                     *       ],
                     *       "hasMore": false,
                     *       "nextCursor": "AZpcITt6fw6hxF0uj5tqAw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09",
                     *       "webhookId": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "eventId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *       "eventType": "printjob.done",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "nextAttemptAt": "2026-03-02T09:30:12.310Z",
                     *       "lastStatusCode": 503,
                     *       "lastError": "status",
                     *       "createdAt": "2026-03-02T09:30:07.010Z",
                     *       "deliveredAt": null,
                     *       "job": {
                     *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *         "title": "Invoice 1042",
                     *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                     *       },
                     *       "payload": {
                     *         "id": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *         "type": "printjob.done",
                     *         "timestamp": "2026-03-02T09:30:06.902Z",
                     *         "mode": "live",
                     *         "sequence": 5,
                     *         "data": {
                     *           "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *           "number": 1042,
                     *           "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602",
                     *           "computerId": "019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01",
                     *           "destinationId": null,
                     *           "title": "Invoice 1042",
                     *           "contentType": "pdf_base64",
                     *           "source": "shop",
                     *           "reportedUser": null,
                     *           "qty": 1,
                     *           "options": {
                     *             "duplex": "long-edge"
                     *           },
                     *           "metadata": {
                     *             "order": "4711"
                     *           },
                     *           "batchId": null,
                     *           "reprintOf": null,
                     *           "retain": true,
                     *           "expireAfter": 86400,
                     *           "expiresAt": "2026-03-03T09:30:00.125Z",
                     *           "notBefore": null,
                     *           "fileSize": 15,
                     *           "fileSha256": "7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906",
                     *           "mode": "live",
                     *           "state": "done",
                     *           "stateMessage": null,
                     *           "stateReasons": [],
                     *           "confirmedBy": null,
                     *           "createdAt": "2026-03-02T09:30:00.125Z",
                     *           "sentAt": "2026-03-02T09:30:00.180Z",
                     *           "receivedAt": "2026-03-02T09:30:00.342Z",
                     *           "printingAt": "2026-03-02T09:30:00.518Z",
                     *           "finishedAt": "2026-03-02T09:30:06.902Z"
                     *         }
                     *       },
                     *       "attemptLog": [
                     *         {
                     *           "number": 1,
                     *           "trigger": "scheduled",
                     *           "at": "2026-03-02T09:30:07.021Z",
                     *           "durationMs": 84,
                     *           "statusCode": 503,
                     *           "errorClass": "status",
                     *           "response": "down for maintenance"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, in `pending`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09",
                     *       "webhookId": "019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08",
                     *       "eventId": "019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07",
                     *       "eventType": "printjob.done",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "nextAttemptAt": "2026-03-02T09:30:12.310Z",
                     *       "lastStatusCode": 503,
                     *       "lastError": "status",
                     *       "createdAt": "2026-03-02T09:30:07.010Z",
                     *       "deliveredAt": null,
                     *       "job": {
                     *         "id": "019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03",
                     *         "title": "Invoice 1042",
                     *         "printerId": "019a5c1e-7d11-7e55-8a42-94c1b0d7f602"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-02T09:00:00.000Z",
                 *       "until": "2026-03-02T10:00:00.000Z",
                 *       "status": [
                 *         "failed",
                 *         "missed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayRange"];
            };
        };
        responses: {
            /** @description The number of replayed deliveries, and the times without any. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 42,
                     *       "gaps": [
                     *         {
                     *           "since": "2026-03-02T09:00:00.000Z",
                     *           "until": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `insufficient_scope`: The key lacks the scope that the operation requires.
             *
             *     `forbidden`: The operation is not permitted on this resource or to the role of the user.
             *
             *     `organization_suspended`: The organization is suspended. Ask the operator of the service.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
