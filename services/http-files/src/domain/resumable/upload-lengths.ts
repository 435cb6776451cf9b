import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ContentRoom } from './limited-content.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import type { UploadPart } from './upload-part.ts';

/** What there is to know of the length of an upload, which its client may tell later than at the beginning. */
export interface UploadLengths {
  /**
   * The length that the upload has, after a look at what the part claims; undefined while there is none.
   * @throws CodedError `file_request_invalid` when the part tells another length, or one that it exceeds itself;
   * `payload_too_large`
   */
  agree(upload: ResumableUpload, part: UploadPart): number | undefined;
  /**
   * For the one who holds an upload without a length: keeps the length that the part tells, if it tells one.
   * @throws as `agree` does
   */
  learn(upload: ResumableUpload, part: UploadPart): Promise<number | undefined>;
  /** How much the content may add at an offset. */
  room(length: number | undefined, offset: number): ContentRoom;
}

/** Lengths as a book keeps them; `limitBytes` is what a file may have. */
export function createUploadLengths({
  uploads,
  limitBytes = Infinity,
}: {
  uploads: Pick<ResumableUploadBook, 'find' | 'setLength'>;
  limitBytes: number | undefined;
}): UploadLengths {
  const room = (length: number | undefined, offset: number): ContentRoom => {
    const endBytes = length ?? limitBytes;
    return { roomBytes: endBytes - offset, refusal: length === undefined ? beyondLimit : () => beyondLength(length) };
  };
  const beyondLimit = (): CodedError =>
    new CodedError('payload_too_large', { detail: `A file may have at most ${limitBytes} bytes` });

  const agree = ({ length }: Pick<ResumableUpload, 'length'>, part: UploadPart): number | undefined => {
    const { offset, size = 0, length: told = length } = part;
    if (length !== undefined && told !== length)
      throw invalid(`The upload has an Upload-Length of ${length} bytes already`);
    if (told !== undefined && told > limitBytes) throw beyondLimit();
    if (told !== undefined && told < offset) throw invalid(`The upload has ${offset} bytes already`);
    const { roomBytes, refusal } = room(told, offset);
    if (size > roomBytes) throw refusal();
    return length;
  };

  return {
    room,
    agree,
    learn: async ({ user, id }, part) => {
      // Another request may have told it since.
      const now = await uploads.find(user, id);
      if (now === undefined) throw new CodedError('upload_unknown');
      const known = agree(now, part);
      if (known !== undefined || part.length === undefined) return known;
      await uploads.setLength(id, part.length);
      return part.length;
    },
  };
}

function beyondLength(lengthBytes: number): CodedError {
  return new CodedError('payload_too_large', { detail: `The upload has an Upload-Length of ${lengthBytes} bytes` });
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail: `upload-length: ${detail}` });
}
