/** The release of Waybill that this code is part of: the version of every package. */
export const release = '0.1.0';
