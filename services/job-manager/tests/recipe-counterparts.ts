import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A request that the HTTP server has received. */
interface ReceivedRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP and a mail server for the recipes. */
export interface RecipeCounterparts extends AsyncDisposable {
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Since `forget`. */
  readonly requests: ReceivedRequest[];
  readonly mails: string[];
  answer: (response: ServerResponse) => void;
  /** Forgets what was received, and answers with an empty 200. */
  forget(): void;
}

const fine = (response: ServerResponse): void => void response.end();

/** Starts them on the loopback interface. */
export async function startRecipeCounterparts(): Promise<RecipeCounterparts> {
  const stop = new AsyncDisposableStack();
  const state = { answer: fine };
  const [requests, mails]: [ReceivedRequest[], string[]] = [[], []];
  const http = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({ url: request.url, headers: request.headers, body: body.toString() });
      state.answer(response);
    });
  });
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, _session, done) => {
      stream.on('end', done);
      void buffer(stream).then((content) => mails.push(content.toString().replaceAll('=\r\n', '')));
    },
  });
  const listening = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.defer(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  return {
    httpPort: await listening(http),
    smtpPort: await listening(smtp.server),
    requests,
    mails,
    get answer() {
      return state.answer;
    },
    set answer(answer) {
      state.answer = answer;
    },
    forget: () => {
      requests.length = 0;
      mails.length = 0;
      state.answer = fine;
    },
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  };
}
